import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type OwnAct, recordOwnAct } from '../keys/own-acts.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import type { AuditEntry } from '../platform/audit/audit-log.js';
import { type IdempotencyClaim, runInTransaction } from '../idempotency/idempotency-claim.js';
import { type Added, SuppressionsService } from './suppressions.service.js';

/** Changes an account's own suppression list, each act and its audit line in one transaction. */
@Injectable()
export class OwnSuppressionsService {
  constructor(
    private readonly database: DataSource,
    private readonly suppressions: SuppressionsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  add(
    principal: Principal,
    hashes: readonly Buffer[],
    reason: string | null,
    claim: IdempotencyClaim | null,
  ): Promise<Added> {
    const work = async (tx: EntityManager): Promise<Added> => {
      const added = await this.suppressions.add(ownerOf(principal), hashes, reason, tx);
      await this.record(tx, principal, 'suppression.add', { asked: hashes.length, added: added.added });
      return added;
    };
    return runInTransaction(this.database, claim, work);
  }

  /** @throws AppError `suppression_not_found` */
  async remove(principal: Principal, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const hash = await this.suppressions.remove(ownerOf(principal), id, tx);
      await this.record(tx, principal, 'suppression.remove', { hash: hash.toString('hex') });
    });
  }

  setReportsInVerify(principal: Principal, reports: boolean): Promise<void> {
    return this.suppressions.setReportsInVerify(ownerOf(principal), reports, (tx) =>
      this.record(tx, principal, 'suppression.settings', { report_in_verify: reports }),
    );
  }

  private record(tx: EntityManager, principal: Principal, act: OwnAct, details: AuditEntry['details']): Promise<void> {
    return recordOwnAct(tx, principal, new Date(this.clock.now()), act, details);
  }
}
