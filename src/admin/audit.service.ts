import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { Listing, type Page, type PageQuery } from '../platform/http/page.js';
import type { Actor } from './actor.js';
import { type AuditEntry, AuditStore } from './audit.store.js';

export type { AuditEntry };

/** What was done: a name such as `account.suspend`, to what, and the particulars. */
export interface Act {
  readonly act: string;
  readonly accountId?: string | null;
  readonly keyId?: string | null;
  readonly details?: AuditEntry['details'];
}

const ENTRIES = new Listing('audit', 'integer');

/** Every change that an administrator makes, written down in the change's own transaction. */
@Injectable()
export class AuditService {
  constructor(
    private readonly store: AuditStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async record(
    tx: EntityManager,
    actor: Actor,
    { act, accountId = null, keyId = null, details = {} }: Act,
  ): Promise<void> {
    const who = { actorId: actor.keyId, actor: actor.name, origin: actor.origin };
    await this.store.insert(tx, { at: new Date(this.clock.now()), ...who, act, accountId, keyId, details });
  }

  /** Newest first, of one account or of everything. */
  list(accountId: string | null, query: PageQuery): Promise<Page<AuditEntry>> {
    return ENTRIES.page(
      query,
      (request) => this.store.list(accountId, request),
      ({ at, id }) => ({ at, id: String(id) }),
    );
  }
}
