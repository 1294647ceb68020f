import { Body } from '@nestjs/common';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { BatchSettingsReply, BatchSettingsRequest } from './batch-settings.dto.js';
import { BatchSettingsService } from '../intake/batch-settings.service.js';
import { Route, Routes } from '../../keys/route.decorator.js';

@Routes('api/v1/batch-settings', { tag: 'Batch', for: 'full' })
export class BatchSettingsController {
  constructor(private readonly settings: BatchSettingsService) {}

  @Route.get('', 'getBatchSettings', 'What batches have that do not say it themselves', {
    needs: 'batches',
    ok: BatchSettingsReply,
  })
  async get(@Caller() caller: Principal) {
    const { retentionDays, retryWindowSeconds } = await this.settings.effective(caller);
    return {
      retention_days: retentionDays,
      max_retention_days: caller.policy.retentionDays,
      retry_window_seconds: retryWindowSeconds,
    };
  }

  @Route.patch('', 'changeBatchSettings', 'Choose how long batches are kept, and retried', {
    needs: 'settings',
    ok: BatchSettingsReply,
  })
  async change(@Caller() caller: Principal, @Body() { retention_days, retry_window_seconds }: BatchSettingsRequest) {
    await this.settings.change(caller, { retentionDays: retention_days, retryWindowSeconds: retry_window_seconds });
    return this.get(caller);
  }
}
