import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DAY_MS } from '../lib/durations.js';
import type { Owner } from '../keys/access/owner.js';
import type { PageRequest } from '../platform/http/page.js';
import type { DomainResult } from './domain-result.js';

/** A check of a domain as it is kept. */
export interface KeptDomainCheck {
  readonly id: number;
  readonly domain: string;
  readonly result: DomainResult;
  readonly creditsCharged: number;
  readonly latencyMs: number;
  readonly createdAt: Date;
}

/** So long checks are kept. */
export const KEPT_MS = 30 * DAY_MS;
/** Checks that an insert deletes at most beside its own. */
const OLD_PAGE_SIZE = 20;

const COLUMNS = `id, domain, result, credits_charged AS "creditsCharged", latency_ms AS "latencyMs", created_at AS "createdAt"`;

@Injectable()
export class DomainChecksStore {
  constructor(private readonly database: DataSource) {}

  /** Keeps a check, and forgets some of those that are older than `keptFrom`, whoever made them. */
  async insert(
    tx: EntityManager,
    { accountId, simulated }: Owner,
    check: KeptDomainCheck,
    keptFrom: Date,
  ): Promise<void> {
    await tx.query(
      `WITH forgotten AS (
         DELETE FROM domain_checks WHERE id = ANY (ARRAY(
           SELECT id FROM domain_checks WHERE created_at < $9 ORDER BY created_at LIMIT ${OLD_PAGE_SIZE}
              FOR UPDATE SKIP LOCKED))
       )
       INSERT INTO domain_checks (id, account_id, simulated, domain, result, credits_charged, latency_ms, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        check.id,
        accountId,
        simulated,
        check.domain,
        JSON.stringify(check.result),
        check.creditsCharged,
        check.latencyMs,
        check.createdAt,
        keptFrom,
      ],
    );
  }

  async find({ accountId, simulated }: Owner, id: number, keptFrom: Date): Promise<KeptDomainCheck | null> {
    const [row]: KeptDomainCheck[] = await this.database.query(
      `SELECT ${COLUMNS} FROM domain_checks WHERE id = $1 AND account_id = $2 AND simulated = $3 AND created_at >= $4`,
      [id, accountId, simulated, keptFrom],
    );
    return row ?? null;
  }

  /** Newest first, one more than asked for. @param domain only of this one; null: of all */
  list(
    { accountId, simulated }: Owner,
    { limit, after }: PageRequest,
    domain: string | null,
    keptFrom: Date,
  ): Promise<KeptDomainCheck[]> {
    return this.database.query(
      `SELECT ${COLUMNS} FROM domain_checks
        WHERE account_id = $1 AND simulated = $2 AND created_at >= $3
          AND ($4::timestamptz IS NULL OR (date_trunc('milliseconds', created_at), id) < ($4, $5::bigint))
          AND ($6::text IS NULL OR domain = $6)
        ORDER BY created_at DESC, id DESC LIMIT $7`,
      [accountId, simulated, keptFrom, after?.at ?? null, after?.id ?? null, domain, limit + 1],
    );
  }
}
