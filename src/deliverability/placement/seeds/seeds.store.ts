import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { insertRow } from '../../../platform/database/rows.js';
import { type LeasedSeed, MAX_FAILURES, type Seed } from './seed.js';

const COLUMNS = `id, provider, address, host, port, security, login, authserv_id AS "authservId", state, why, failures,
  created_at AS "createdAt", last_ok_at AS "lastOkAt", checked_at AS "checkedAt"`;

/** A mailbox that new tests may use. */
const USABLE = `state = 'on' AND last_ok_at IS NOT NULL`;

const FIRST_CHECK_MS = 15_000;

/** More than any operator has; a listing is one page. */
export const MAX_SEEDS = 500;

@Injectable()
export class SeedsStore {
  constructor(private readonly database: DataSource) {}

  list(): Promise<Seed[]> {
    return this.database.query(`SELECT ${COLUMNS} FROM placement_seeds ORDER BY provider, address LIMIT ${MAX_SEEDS}`);
  }

  async find(id: string): Promise<(Seed & { readonly credentials: Buffer }) | null> {
    const rows: (Seed & { readonly credentials: Buffer })[] = await this.database.query(
      `SELECT ${COLUMNS}, credentials FROM placement_seeds WHERE id = $1`,
      [id],
    );
    return rows[0] ?? null;
  }

  /** How many there are, for a caller that adds one: until its transaction ends no other one counts. */
  async count(tx: EntityManager): Promise<number> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtext('placement seeds'))`);
    const [row]: { count: number }[] = await tx.query('SELECT count(*)::integer AS count FROM placement_seeds');
    return row!.count;
  }

  /** @returns whether there was none of this address */
  async insert(tx: EntityManager, seed: Seed, credentials: Buffer): Promise<boolean> {
    const { id, provider, address, host, port, security, login, authservId, state, createdAt: at } = seed;
    const times = { createdAt: at, changedAt: at, checkDueAt: at };
    const row = { id, provider, address, host, port, security, login, authservId, credentials, state, ...times };
    return (await insertRow(tx, 'placement_seeds', row, 'ON CONFLICT (address) DO NOTHING RETURNING 1')).length > 0;
  }

  /** Turns one on, perhaps with other credentials; it is checked at once, and used again when that succeeds. */
  async turnOn(tx: EntityManager, id: string, credentials: Buffer | null, at: Date): Promise<Seed | null> {
    const [rows]: [Seed[], number] = await tx.query(
      `UPDATE placement_seeds
          SET state = 'on', why = NULL, failures = 0, last_ok_at = NULL, credentials = coalesce($2, credentials), changed_at = $3,
              check_due_at = $3, paused_until = NULL, lease_owner = NULL, lease_expires_at = NULL
        WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, credentials, at],
    );
    return rows[0] ?? null;
  }

  async turnOff(tx: EntityManager, id: string, why: string, at: Date): Promise<Seed | null> {
    const [rows]: [Seed[], number] = await tx.query(
      `UPDATE placement_seeds SET state = 'off', why = $2, changed_at = $3, lease_owner = NULL, lease_expires_at = NULL
        WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, why, at],
    );
    return rows[0] ?? null;
  }

  /** Providers whose mailboxes new tests may use, and how many each has. */
  usable(): Promise<{ provider: string; seeds: number }[]> {
    return this.database.query(
      `SELECT provider, count(*)::integer AS seeds FROM placement_seeds WHERE ${USABLE} GROUP BY 1 ORDER BY 1`,
    );
  }

  /** Ids and addresses of those that a new test uses. @param providers null: all */
  wanted(tx: EntityManager, providers: readonly string[] | null): Promise<{ id: string; address: string }[]> {
    return tx.query(
      `SELECT id, address FROM placement_seeds WHERE ${USABLE} AND ($1::text[] IS NULL OR provider = ANY ($1))
        ORDER BY provider, address LIMIT ${MAX_SEEDS}`,
      [providers],
    );
  }

  /**
   * Leases the seed that has waited longest for a look or for its health check. Another worker's lease that has expired is free: that worker
   * was killed, or is so late that its results are not taken any more.
   */
  async lease(owner: string, now: Date, expiresAt: Date): Promise<LeasedSeed | null> {
    const [rows]: [LeasedSeed[], number] = await this.database.query(
      `UPDATE placement_seeds AS seed SET lease_owner = $1, lease_expires_at = $3
        WHERE id = (
          SELECT s.id FROM placement_seeds AS s
            LEFT JOIN LATERAL (
              SELECT min(CASE WHEN t.first_arrival_at IS NOT NULL AND a.base_at IS NULL
                              THEN least(a.due_at, t.first_arrival_at + ${FIRST_CHECK_MS} * interval '1 ms') ELSE a.due_at END) AS due_at
                FROM placement_arrivals AS a JOIN placement_tests AS t ON t.id = a.test_id
               WHERE a.seed_id = s.id AND a.due_at IS NOT NULL AND t.due_at IS NOT NULL) AS look ON true
           WHERE s.state = 'on' AND (s.lease_expires_at IS NULL OR s.lease_expires_at <= $2)
             AND (s.paused_until IS NULL OR s.paused_until <= $2) AND least(s.check_due_at, look.due_at) <= $2
           ORDER BY least(s.check_due_at, look.due_at) LIMIT 1 FOR UPDATE OF s SKIP LOCKED)
       RETURNING ${COLUMNS}, credentials, check_due_at <= $2 AS "isCheckDue"`,
      [owner, now, expiresAt],
    );
    return rows[0] ?? null;
  }

  /** Leases one seed, on or off, unless somebody reads it. */
  async leaseOne(id: string, owner: string, now: Date, expiresAt: Date): Promise<LeasedSeed | null> {
    const [rows]: [LeasedSeed[], number] = await this.database.query(
      `UPDATE placement_seeds SET lease_owner = $2, lease_expires_at = $4
        WHERE id = $1 AND (lease_expires_at IS NULL OR lease_expires_at <= $3)
       RETURNING ${COLUMNS}, credentials, false AS "isCheckDue"`,
      [id, owner, now, expiresAt],
    );
    return rows[0] ?? null;
  }

  /** Nothing was found out: another worker may read it at once. */
  async release(tx: EntityManager, id: string, owner: string): Promise<void> {
    await tx.query(
      'UPDATE placement_seeds SET lease_owner = NULL, lease_expires_at = NULL WHERE id = $1 AND lease_owner = $2',
      [id, owner],
    );
  }

  /** It was read. @returns whether the lease was still the worker's: else nothing was written, and nothing may be */
  async succeeded(tx: EntityManager, id: string, owner: string, { now, checkDueAt }: HealthTimes): Promise<boolean> {
    const [, changed]: [unknown[], number] = await tx.query(
      `UPDATE placement_seeds
          SET failures = 0, why = NULL, last_ok_at = $3, checked_at = $3, check_due_at = $4, paused_until = NULL,
              lease_owner = NULL, lease_expires_at = NULL
        WHERE id = $1 AND lease_owner = $2 AND state = 'on'`,
      [id, owner, now, checkDueAt],
    );
    return changed > 0;
  }

  /**
   * It could not be read; a failed health check counts, and the last of three turns it off.
   * @returns whether it is on still; null: the lease was not the worker's any more
   */
  async failed(tx: EntityManager, id: string, owner: string, failure: Failure): Promise<'on' | 'off' | null> {
    const { why, isCheck, now, checkDueAt, pausedUntil } = failure;
    const [rows]: [{ state: 'on' | 'off' }[], number] = await tx.query(
      `UPDATE placement_seeds
          SET why = $3, failures = failures + $4::integer, paused_until = $7, checked_at = CASE WHEN $4 = 1 THEN $5 ELSE checked_at END,
              check_due_at = CASE WHEN $4 = 1 THEN $6 ELSE check_due_at END,
              state = CASE WHEN failures + $4 >= ${MAX_FAILURES} THEN 'off' ELSE state END,
              changed_at = CASE WHEN failures + $4 >= ${MAX_FAILURES} THEN $5 ELSE changed_at END,
              lease_owner = NULL, lease_expires_at = NULL
        WHERE id = $1 AND lease_owner = $2 AND state = 'on' RETURNING state`,
      [id, owner, why, isCheck ? 1 : 0, now, checkDueAt, pausedUntil],
    );
    return rows[0]?.state ?? null;
  }
}

interface HealthTimes {
  readonly now: Date;
  readonly checkDueAt: Date;
}

export interface Failure extends HealthTimes {
  readonly why: string;
  /** A health check, and no look between two of them. */
  readonly isCheck: boolean;
  readonly pausedUntil: Date;
}
