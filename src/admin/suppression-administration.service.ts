import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Page, PageQuery } from '../platform/http/page.js';
import { type Added, EVERYBODY, type Suppression, SuppressionsService } from '../suppressions/suppressions.service.js';
import { runInTransaction } from '../idempotency/idempotency-claim.js';
import type { Actor } from './actor.js';
import { AuditService } from './audit.service.js';

/** The suppression list that holds for every account. */
@Injectable()
export class SuppressionAdministrationService {
  constructor(
    private readonly suppressions: SuppressionsService,
    private readonly audit: AuditService,
    private readonly database: DataSource,
  ) {}

  add(actor: Actor, hashes: readonly Buffer[], reason: string | null): Promise<Added> {
    return this.change(actor, async (tx) => {
      const added = await this.suppressions.add(EVERYBODY, hashes, reason, tx);
      const details = { added: added.added, hashes: hashes.map((hash) => hash.toString('hex')), reason };
      await this.audit.record(tx, actor, { action: 'suppression.add', details });
      return added;
    });
  }

  list(query: PageQuery): Promise<Page<Suppression>> {
    return this.suppressions.list(EVERYBODY, query);
  }

  /** @throws AppError `suppression_not_found` */
  remove(actor: Actor, id: string): Promise<void> {
    return this.change(actor, async (tx) => {
      const hash = await this.suppressions.remove(EVERYBODY, id, tx);
      await this.audit.record(tx, actor, { action: 'suppression.remove', details: { hash: hash.toString('hex') } });
    });
  }

  private change<T>({ claim }: Actor, act: (tx: EntityManager) => Promise<T>): Promise<T> {
    return runInTransaction(this.database, claim, act);
  }
}
