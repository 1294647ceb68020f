import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { runInTransaction } from '../idempotency/idempotency-claim.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { addToAuditLog, type AuditEntry } from '../platform/audit/audit-log.js';
import { AuditLogService } from '../platform/audit/audit-log.service.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import type { Actor } from './actor.js';

export type { AuditEntry };

/** All that an account learns of who acted, and from where. */
const AN_ADMINISTRATOR = 'administrator';

/** An act: its name, such as `account.suspend`, its object, and the particulars. */
export interface Act {
  readonly action: string;
  readonly accountId?: string | null;
  readonly keyId?: string | null;
  readonly details?: AuditEntry['details'];
}

/** For an act that was done before its entry is written. */
export const NOTHING_MORE = async (): Promise<void> => {};

/** Every change that an administrator makes, written down in the change's own transaction. */
@Injectable()
export class AuditService {
  constructor(
    private readonly log: AuditLogService,
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * Does an act and writes it down in the same transaction, that of the request's idempotency claim where there is one.
   * @param about what the entry says besides who did what
   */
  audited<T>(
    actor: Actor,
    action: string,
    act: (tx: EntityManager) => Promise<T>,
    about: (result: T) => Omit<Act, 'action'>,
  ): Promise<T> {
    return runInTransaction(this.database, actor.claim, async (tx) => {
      const result = await act(tx);
      await this.record(tx, actor, { action, ...about(result) });
      return result;
    });
  }

  async record(
    tx: EntityManager,
    actor: Actor,
    { action: act, accountId = null, keyId = null, details = {} }: Act,
  ): Promise<void> {
    const who = { actorId: actor.keyId, actor: actor.name, origin: actor.origin };
    const at = new Date(this.clock.now());
    await addToAuditLog(tx, { at, ...who, action: act, accountId, simulated: null, keyId, details });
  }

  /** Writes an act down in the account's own log too, which names no administrator: who it was stands in the log of administrators. */
  async tellAccount(tx: EntityManager, accountId: string, { action, keyId = null, details = {} }: Act): Promise<void> {
    const who = { actorId: null, actor: AN_ADMINISTRATOR, origin: AN_ADMINISTRATOR };
    await addToAuditLog(tx, {
      at: new Date(this.clock.now()),
      ...who,
      action,
      accountId,
      simulated: false,
      keyId,
      details,
    });
  }

  /** The entries of one account or of everything, newest first, with the accounts' own acts. */
  list(accountId: string | null, query: PageQuery): Promise<Page<AuditEntry>> {
    return this.log.list({ accountId, simulated: null }, query);
  }
}
