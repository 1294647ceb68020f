import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { runInTransaction } from '../../idempotency/idempotency-claim.js';
import type { Monitor } from '../../monitors/findings/monitor.js';
import { MonitorOverviewService, type MonitorsOverview } from '../../monitors/monitor-overview.service.js';
import type { Actor } from '../actor.js';
import { AuditService } from '../audit.service.js';

const SHOWN = 100;

/** The acts of administrators on monitors. */
@Injectable()
export class MonitorAdministrationService {
  constructor(
    private readonly overview: MonitorOverviewService,
    private readonly audit: AuditService,
    private readonly database: DataSource,
  ) {}

  async look(): Promise<{ readonly overview: MonitorsOverview; readonly monitors: readonly Monitor[] }> {
    const [overview, monitors] = await Promise.all([this.overview.read(), this.overview.list(SHOWN)]);
    return { overview, monitors };
  }

  /** Those that have been due for so long and wait. */
  async late(seconds: number): Promise<{ readonly overview: MonitorsOverview; readonly monitors: readonly Monitor[] }> {
    const [overview, monitors] = await Promise.all([this.overview.read(), this.overview.late(seconds * 1_000, SHOWN)]);
    return { overview, monitors };
  }

  /** @throws AppError `monitor_not_found` */
  pause(actor: Actor, id: number, reason: string): Promise<Monitor> {
    return this.setPaused(actor, id, reason);
  }

  /** @throws AppError `monitor_not_found`, `monitor_not_paused` */
  resume(actor: Actor, id: number): Promise<Monitor> {
    return this.setPaused(actor, id, null);
  }

  private setPaused(actor: Actor, id: number, reason: string | null): Promise<Monitor> {
    return runInTransaction(this.database, actor.claim, async (tx) => {
      const monitor = await this.overview.setPaused(tx, id, reason);
      const action = reason === null ? 'monitor.resume' : 'monitor.pause';
      const { accountId } = monitor;
      await this.audit.record(tx, actor, { action, accountId, details: { monitor_id: id, reason } });
      return monitor;
    });
  }
}
