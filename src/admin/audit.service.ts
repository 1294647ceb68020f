import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
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

/** Every change that an administrator makes, written down in the change's own transaction. */
@Injectable()
export class AuditService {
  constructor(
    private readonly log: AuditLogService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

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
