import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../keys/access/owner.js';
import type { PageRequest } from '../platform/http/page.js';
import type { TargetResult } from './check-reply.js';

/** A check as it is kept. */
export interface KeptCheck {
  readonly id: number;
  readonly results: readonly TargetResult[];
  readonly creditsCharged: number;
  readonly latencyMs: number;
  readonly createdAt: Date;
}

/** Checks that an insert deletes at most beside its own. */
const OLD_PAGE_SIZE = 20;

const COLUMNS = `id, results, credits_charged AS "creditsCharged", latency_ms AS "latencyMs", created_at AS "createdAt"`;

@Injectable()
export class BlacklistChecksStore {
  constructor(private readonly database: DataSource) {}

  /** Keeps a check, and forgets some of those that are older than `keptFrom`, whoever made them. */
  async insert(tx: EntityManager, { accountId, simulated }: Owner, check: KeptCheck, keptFrom: Date): Promise<void> {
    await tx.query(
      `WITH forgotten AS (
         DELETE FROM blacklist_checks WHERE id = ANY (ARRAY(
           SELECT id FROM blacklist_checks WHERE created_at < $8 ORDER BY created_at LIMIT ${OLD_PAGE_SIZE}
              FOR UPDATE SKIP LOCKED))
       )
       INSERT INTO blacklist_checks (id, account_id, simulated, results, credits_charged, latency_ms, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        check.id,
        accountId,
        simulated,
        JSON.stringify(check.results),
        check.creditsCharged,
        check.latencyMs,
        check.createdAt,
        keptFrom,
      ],
    );
  }

  async find({ accountId, simulated }: Owner, id: number, keptFrom: Date): Promise<KeptCheck | null> {
    const [row]: KeptCheck[] = await this.database.query(
      `SELECT ${COLUMNS} FROM blacklist_checks WHERE id = $1 AND account_id = $2 AND simulated = $3 AND created_at >= $4`,
      [id, accountId, simulated, keptFrom],
    );
    return row ?? null;
  }

  /** Newest first, one more than asked for. */
  list({ accountId, simulated }: Owner, { limit, after }: PageRequest, keptFrom: Date): Promise<KeptCheck[]> {
    return this.database.query(
      `SELECT ${COLUMNS} FROM blacklist_checks
        WHERE account_id = $1 AND simulated = $2 AND created_at >= $3
          AND ($4::timestamptz IS NULL OR (date_trunc('milliseconds', created_at), id) < ($4, $5::bigint))
        ORDER BY created_at DESC, id DESC LIMIT $6`,
      [accountId, simulated, keptFrom, after?.at ?? null, after?.id ?? null, limit + 1],
    );
  }
}
