import { Injectable } from '@nestjs/common';
import { BatchSettingsService } from '../../batch/intake/batch-settings.service.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { OpenSessions } from '../../keys/sessions/open-sessions.service.js';
import { SchedulesService } from '../../lists/schedules.service.js';
import { scheduleReply } from '../../lists/schedules.reply.js';
import { ReuseService } from '../../reuse/reuse.service.js';
import { SuppressionsService } from '../../suppressions/suppressions.service.js';

/** What an account has chosen: settings, the schedules of its lists, and the browsers that are signed in. */
@Injectable()
export class ExportedSettings {
  constructor(
    private readonly batches: BatchSettingsService,
    private readonly reuse: ReuseService,
    private readonly suppressions: SuppressionsService,
    private readonly schedules: SchedulesService,
    private readonly sessions: OpenSessions,
  ) {}

  async *lines(principal: Principal): AsyncGenerator<object, void> {
    const owner = ownerOf(principal);
    const { retentionDays, retryWindowSeconds } = await this.batches.effective(principal);
    yield {
      type: 'settings',
      reuse: await this.reuse.isOn(owner),
      report_in_verify: await this.suppressions.reportsInVerify(owner),
      retention_days: retentionDays,
      retry_window_seconds: retryWindowSeconds,
    };
    for (const schedule of await this.schedules.list(principal)) yield { type: 'schedule', ...scheduleReply(schedule) };
    for (const session of await this.sessions.of(owner))
      yield {
        type: 'session',
        key_id: session.keyId,
        created_at: session.createdAt.toISOString(),
        seen_at: session.seenAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
        client_address: session.clientAddress,
        user_agent: session.userAgent,
      };
  }
}
