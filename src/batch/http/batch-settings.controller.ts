import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../../keys/access/audience.js';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { BatchSettingsReply, BatchSettingsRequest } from './batch-settings.dto.js';
import { BatchSettingsService } from '../intake/batch-settings.service.js';

@ApiTags('Batch')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/batch-settings')
export class BatchSettingsController {
  constructor(private readonly settings: BatchSettingsService) {}

  @Get()
  @ApiOkResponse({ type: BatchSettingsReply })
  @ApiOperation({ operationId: 'getBatchSettings', summary: 'What batches have that do not say it themselves' })
  async get(@Caller() caller: Principal): Promise<BatchSettingsReply> {
    const { retentionDays, retryWindowSeconds } = await this.settings.effective(caller);
    return {
      retention_days: retentionDays,
      max_retention_days: caller.policy.retentionDays,
      retry_window_seconds: retryWindowSeconds,
    };
  }

  @Patch()
  @ApiOkResponse({ type: BatchSettingsReply })
  @ApiOperation({ operationId: 'changeBatchSettings', summary: 'Choose how long batches are kept, and retried' })
  async change(
    @Caller() caller: Principal,
    @Body() { retention_days, retry_window_seconds }: BatchSettingsRequest,
  ): Promise<BatchSettingsReply> {
    await this.settings.change(caller, { retentionDays: retention_days, retryWindowSeconds: retry_window_seconds });
    return this.get(caller);
  }
}
