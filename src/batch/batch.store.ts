import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../keys/owner.js';
import { definePrepared } from '../platform/database/prepared.js';
import type { Position } from '../platform/http/page.js';
import { type Batch, type BatchEvent, type BatchKind, statesBefore, transition } from './batch.lifecycle.js';
import type { Verdict } from './batch-results.js';

/** A batch without what its life adds: made when the first of its rows is stored. */
export interface NewBatch {
  readonly id: number;
  readonly accountId: string;
  readonly keyId: string;
  readonly policy: string;
  readonly simulated: boolean;
  readonly kind: BatchKind;
  readonly retentionDays: number;
  readonly createdAt: Date;
}

/** What is known when the last row has come. */
export interface ReceivedBatch {
  readonly name: string | null;
  readonly webhookUrl: string | null;
  readonly columns: readonly string[] | null;
  readonly totalRows: number;
  readonly uniqueAddresses: number;
  readonly chunks: number;
  readonly reservationId: string | null;
  readonly creditSource: string;
  readonly creditsReserved: number;
}

/** Which batches of an owner. */
export interface ListedBatches {
  readonly after: Position | null;
  readonly limit: number;
  readonly completedOnly: boolean;
  readonly kind: BatchKind;
}

export type VerdictCounts = Readonly<Record<Verdict, number>>;

/** The batches themselves: one row each, never an address. */
@Injectable()
export class BatchStore {
  constructor(private readonly database: DataSource) {}

  /** Begins a batch that nobody sees yet. */
  async insert(tx: EntityManager, batch: NewBatch): Promise<void> {
    await tx.query(
      `INSERT INTO batches (id, account_id, key_id, policy, simulated, kind, retention_days, created_at, state)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'receiving')`,
      [
        batch.id,
        batch.accountId,
        batch.keyId,
        batch.policy,
        batch.simulated,
        batch.kind,
        batch.retentionDays,
        batch.createdAt,
      ],
    );
  }

  /** Queues a batch whose rows are all stored. False when it is gone, as after a sweep of uploads that died. */
  async receive(tx: EntityManager, id: number, received: ReceivedBatch): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(
      `UPDATE batches
          SET state = '${transition('receiving', 'receive')}', name = $2, webhook_url = $3, columns = $4, total_rows = $5,
              unique_addresses = $6, open_chunks = $7, reservation_id = $8, credit_source = $9, credits_reserved = $10
        WHERE id = $1 AND state = ANY ($11) RETURNING id`,
      [
        id,
        received.name,
        received.webhookUrl,
        received.columns && JSON.stringify(received.columns),
        received.totalRows,
        received.uniqueAddresses,
        received.chunks,
        received.reservationId,
        received.creditSource,
        received.creditsReserved,
        statesBefore('receive'),
      ],
    );
    return rows.length > 0;
  }

  /** Of any account, for the working side; null when it was deleted. */
  async find(id: number): Promise<Batch | null> {
    const rows: BatchRow[] = await this.database.query(`SELECT ${BATCH_COLUMNS} FROM batches WHERE id = $1`, [id]);
    return rows.length > 0 ? toBatch(rows[0]!) : null;
  }

  async findOf({ accountId, simulated }: Owner, id: number, kind: BatchKind): Promise<Batch | null> {
    const rows: BatchRow[] = await this.database.query(
      `SELECT ${BATCH_COLUMNS} FROM batches
        WHERE id = $1 AND account_id = $2 AND simulated = $3 AND kind = $4 AND state <> 'receiving'`,
      [id, accountId, simulated, kind],
    );
    return rows.length > 0 ? toBatch(rows[0]!) : null;
  }

  /** Locks the batch until the end of the transaction. */
  async lock(tx: EntityManager, id: number): Promise<Batch | null> {
    const rows: BatchRow[] = await tx.query(`SELECT ${BATCH_COLUMNS} FROM batches WHERE id = $1 FOR UPDATE`, [id]);
    return rows.length > 0 ? toBatch(rows[0]!) : null;
  }

  /** Newest first. */
  async list(owner: Owner, { after, limit, completedOnly, kind }: ListedBatches): Promise<Batch[]> {
    const rows: BatchRow[] = await this.database.query(
      `SELECT ${BATCH_COLUMNS} FROM batches
        WHERE account_id = $1 AND simulated = $2 AND kind = $3 AND state <> 'receiving'
          AND ($4 = false OR state = 'completed')
          AND ($5::timestamptz IS NULL OR (created_at, id) < ($5, $6::bigint))
        ORDER BY created_at DESC, id DESC LIMIT $7`,
      [owner.accountId, owner.simulated, kind, completedOnly, after?.at ?? null, after?.id ?? null, limit],
    );
    return rows.map(toBatch);
  }

  /** Queued and processing ones, oldest first: what the sweep rings for. */
  async unfinished(limit: number): Promise<Batch[]> {
    const rows: BatchRow[] = await this.database.query(
      `SELECT ${BATCH_COLUMNS} FROM batches WHERE finished_at IS NULL AND state <> 'receiving' ORDER BY created_at LIMIT $1`,
      [limit],
    );
    return rows.map(toBatch);
  }

  /** The first chunk is taken. False when it had started before, or has ended. */
  start(id: number, at: Date): Promise<boolean> {
    return this.move(this.database.manager, id, 'start', ', started_at = $4', [at]);
  }

  /** Ends a batch; its addresses are kept for its retention from now on. False when it had ended before. */
  finish(
    tx: EntityManager,
    id: number,
    event: Extract<BatchEvent, 'complete' | 'fail' | 'cancel'>,
    at: Date,
  ): Promise<boolean> {
    const set = ", finished_at = $4::timestamptz, expires_at = $4::timestamptz + retention_days * interval '1 day'";
    return this.move(tx, id, event, set, [at]);
  }

  /**
   * Counts what a chunk's round has settled. Locks the row until the transaction ends.
   * @param counts rows by verdict, repeated addresses as often as they were sent
   * @param closedChunks chunks that have no later round
   * @returns the chunks left, or null when the batch no longer runs: then nothing of the round may be kept
   */
  async moveCounters(
    tx: EntityManager,
    id: number,
    counts: VerdictCounts,
    creditsCharged: number,
    closedChunks: number,
  ): Promise<number | null> {
    const { valid, invalid, risky, unknown } = counts;
    const rows = await addToCounters(tx, id, valid, invalid, risky, unknown, creditsCharged, closedChunks);
    return rows[0]?.open_chunks ?? null;
  }

  async rename(tx: EntityManager, { accountId, simulated }: Owner, id: number, name: string): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(
      `UPDATE batches SET name = $4
        WHERE id = $1 AND account_id = $2 AND simulated = $3 AND kind = 'verify' AND state = 'completed' RETURNING id`,
      [id, accountId, simulated, name],
    );
    return rows.length > 0;
  }

  /** With its rows, chunks and results: about one row for each 300 addresses. */
  async delete(tx: EntityManager, id: number): Promise<void> {
    await tx.query('DELETE FROM batches WHERE id = $1', [id]);
  }

  /** @returns how many were deleted whose addresses were kept long enough, or whose upload died */
  async deleteExpired(now: Date, uploadsBefore: Date, limit: number): Promise<number> {
    const [, deleted]: [unknown, number] = await this.database.query(
      `DELETE FROM batches WHERE id IN (
         SELECT id FROM batches
          WHERE expires_at <= $1 OR (state = 'receiving' AND created_at <= $2)
          ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)`,
      [now, uploadsBefore, limit],
    );
    return deleted;
  }

  private async move(
    tx: EntityManager,
    id: number,
    event: BatchEvent,
    set: string,
    values: readonly unknown[],
  ): Promise<boolean> {
    const from = statesBefore(event);
    const [rows]: [unknown[], number] = await tx.query(
      `UPDATE batches SET state = $2${set} WHERE id = $1 AND state = ANY ($3) RETURNING id`,
      [id, transition(from[0]!, event), from, ...values],
    );
    return rows.length > 0;
  }
}

const addToCounters = definePrepared<{ readonly open_chunks: number }>(
  'addToCounters',
  `UPDATE batches
      SET valid = valid + $2, invalid = invalid + $3, risky = risky + $4, unknown = unknown + $5,
          credits_charged = credits_charged + $6, open_chunks = open_chunks - $7
    WHERE id = $1 AND state IN ('queued', 'processing') RETURNING open_chunks`,
);

export const BATCH_COLUMNS = `id, account_id, key_id, policy, simulated, kind, state, name, webhook_url, columns, retention_days, total_rows,
  unique_addresses, open_chunks, valid, invalid, risky, unknown, reservation_id, credit_source, credits_reserved,
  credits_charged, created_at, started_at, finished_at, expires_at,
  CASE WHEN finished_at IS NULL THEN (
    SELECT json_build_object('addresses', sum(cardinality(offsets)), 'until', max(due_at))
      FROM batch_chunks WHERE batch_id = batches.id AND NOT done AND round > 0
  ) END AS later_tries`;

export interface BatchRow extends VerdictCounts {
  readonly id: number;
  readonly account_id: string;
  readonly key_id: string;
  readonly policy: string;
  readonly simulated: boolean;
  readonly kind: BatchKind;
  readonly state: Batch['state'];
  readonly name: string | null;
  readonly webhook_url: string | null;
  readonly columns: string | null;
  readonly retention_days: number;
  readonly total_rows: number;
  readonly unique_addresses: number;
  readonly open_chunks: number;
  readonly later_tries: { readonly addresses: number | null; readonly until: string } | null;
  readonly reservation_id: string | null;
  readonly credit_source: Batch['creditSource'];
  readonly credits_reserved: number;
  readonly credits_charged: number;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly expires_at: Date | null;
}

export function toBatch(row: BatchRow): Batch {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    policy: row.policy,
    simulated: row.simulated,
    kind: row.kind,
    state: row.state,
    name: row.name,
    webhookUrl: row.webhook_url,
    columns: row.columns === null ? null : (JSON.parse(row.columns) as string[]),
    retentionDays: row.retention_days,
    totalRows: row.total_rows,
    uniqueAddresses: row.unique_addresses,
    openChunks: row.open_chunks,
    laterTries: toLaterTries(row),
    counts: { valid: row.valid, invalid: row.invalid, risky: row.risky, unknown: row.unknown },
    reservationId: row.reservation_id,
    creditSource: row.credit_source,
    creditsReserved: row.credits_reserved,
    creditsCharged: row.credits_charged,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
  };
}

function toLaterTries({ later_tries }: BatchRow): Batch['laterTries'] {
  if (later_tries === null || later_tries.addresses === null) return null;
  return { addresses: later_tries.addresses, until: new Date(later_tries.until) };
}
