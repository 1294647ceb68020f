import { randomInt, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { ChunkResult } from '../../src/batch/model/chunk-result.js';
import { ResultDecoder } from '../../src/batch/model/result-codec.js';
import { connectionsTo } from './connections.js';

export interface QueuedBatch {
  readonly accountId: string;
  readonly emails: readonly string[];
  /** Sent by a test key: nothing is reserved. */
  readonly simulated?: boolean;
  /** Default: addresses to verify. */
  readonly kind?: 'verify' | 'find';
  /** Addresses in a chunk, at most 1,000. */
  readonly chunkSize?: number;
  /** By offset in the only chunk, how many further rows have the address. */
  readonly duplicates?: Readonly<Record<number, number>>;
  /** Default: an hour ago, so that a worker takes it at once. */
  readonly dueAt?: Date;
}

/** A batch as its submission leaves it: stored, reserved and queued, without a notification to workers. @returns its id */
export async function queueBatch(url: string, batch: QueuedBatch): Promise<number> {
  const {
    accountId,
    emails,
    simulated = false,
    kind = 'verify',
    chunkSize = 1000,
    duplicates = {},
    dueAt = null,
  } = batch;
  const id = randomInt(1, 2 ** 47);
  const reservationId = simulated ? null : randomUUID();
  const chunks = Array.from({ length: Math.ceil(emails.length / chunkSize) }, (_, i) =>
    emails.slice(i * chunkSize, (i + 1) * chunkSize),
  );
  const further = Object.values(duplicates).reduce((sum, times) => sum + times, 0);
  await withClient(url, async (client) => {
    await client.query('BEGIN');
    if (reservationId !== null) await client.query(RESERVE, [reservationId, accountId, emails.length]);
    await client.query(INSERT_BATCH, [
      id,
      accountId,
      simulated,
      emails.length + further,
      emails.length,
      chunks.length,
      reservationId,
      simulated ? 'none' : 'balance',
      simulated ? 0 : emails.length,
      kind,
    ]);
    for (const [number, chunk] of chunks.entries())
      await client.query(INSERT_CHUNK, [
        id,
        number,
        chunk.length,
        JSON.stringify(chunk),
        Object.entries(duplicates).flatMap(([offset, times]) => [Number(offset), times]),
        dueAt,
      ]);
    await client.query('COMMIT');
  });
  return id;
}

const RESERVE = `
  WITH balance AS (
    UPDATE credit_balances SET available = available - $3::integer, reserved = reserved + $3, entries = entries + 1
     WHERE account_id = $2 RETURNING account_id, available, entries
  ), reservation AS (
    INSERT INTO credit_reservations (id, account_id, amount, purpose, created_at, expires_at)
    SELECT $1::uuid, account_id, $3, 'batch', now(), NULL FROM balance
  )
  INSERT INTO credit_ledger (account_id, number, created_at, kind, amount, balance_after, purpose, reservation_id)
  SELECT account_id, entries, now(), 'reserve', -$3, available, 'batch', $1 FROM balance`;

const INSERT_BATCH = `
  INSERT INTO batches (id, account_id, key_id, policy, simulated, state, retention_days, total_rows, unique_addresses,
                       open_chunks, reservation_id, credit_source, credits_reserved, kind, created_at)
  VALUES ($1, $2, gen_random_uuid(), 'scale', $3, 'queued', 30, $4, $5, $6, $7, $8, $9, $10, now())`;

const INSERT_CHUNK = `
  INSERT INTO batch_chunks (batch_id, number, partition, partitioned_by, size, items, duplicates, due_at)
  VALUES ($1, $2, $2 % 8, 'operator', $3, $4, $5, coalesce($6, now() - interval '1 hour'))`;

/** Batches of one address each, as `queueBatch` leaves them, in one statement: a thousand submissions are none of the test's promise. */
export async function queueSingles(url: string, accountId: string, emails: readonly string[]): Promise<void> {
  await onDatabase(url, QUEUE_SINGLES, [accountId, emails, randomInt(1, 2 ** 46)]);
}

const QUEUE_SINGLES = `
  WITH sent AS MATERIALIZED (
    SELECT email, n::integer, $3::bigint + n AS id, gen_random_uuid() AS reservation
      FROM unnest($2::text[]) WITH ORDINALITY AS list (email, n)
  ), balance AS (
    UPDATE credit_balances SET available = available - cardinality($2), reserved = reserved + cardinality($2),
           entries = entries + cardinality($2)
     WHERE account_id = $1 RETURNING available + cardinality($2) AS available, entries - cardinality($2) AS entries
  ), reservations AS (
    INSERT INTO credit_reservations (id, account_id, amount, purpose, created_at, expires_at)
    SELECT reservation, $1, 1, 'batch', now(), NULL FROM sent
  ), ledger AS (
    INSERT INTO credit_ledger (account_id, number, created_at, kind, amount, balance_after, purpose, reservation_id)
    SELECT $1, entries + n, now(), 'reserve', -1, available - n, 'batch', reservation FROM sent, balance
  ), queued AS (
    INSERT INTO batches (id, account_id, key_id, policy, simulated, state, retention_days, total_rows, unique_addresses,
                         open_chunks, reservation_id, credit_source, credits_reserved, kind, created_at)
    SELECT id, $1, gen_random_uuid(), 'scale', false, 'queued', 30, 1, 1, 1, reservation, 'balance', 1, 'verify', now() FROM sent
  )
  INSERT INTO batch_chunks (batch_id, number, partition, partitioned_by, size, items, duplicates, due_at)
  SELECT id, 0, 0, 'operator', 1, json_build_array(email)::text, '{}', now() - interval '1 hour' FROM sent`;

export interface BatchFacts {
  readonly state: string;
  readonly open_chunks: number;
  readonly counts: Readonly<Record<'valid' | 'invalid' | 'risky' | 'unknown', number>>;
  readonly credits_charged: number;
  readonly started: boolean;
  readonly finished: boolean;
}

export async function readBatch(url: string, id: number): Promise<BatchFacts> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      `SELECT state, open_chunks, credits_charged, started_at IS NOT NULL AS started, finished_at IS NOT NULL AS finished,
              json_build_object('valid', valid, 'invalid', invalid, 'risky', risky, 'unknown', unknown) AS counts
         FROM batches WHERE id = $1`,
      [id],
    );
    return rows[0] as BatchFacts;
  });
}

/** Every stored result of the batch by address, pass by pass: two results of an address mean that one counted twice. */
export async function readAnswers(url: string, id: number): Promise<Map<string, ChunkResult[]>> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ results: string; items: string }>(
      `SELECT r.results, c.items FROM batch_results r JOIN batch_chunks c ON (c.batch_id, c.number) = (r.batch_id, r.chunk)
        WHERE r.batch_id = $1 ORDER BY r.chunk, r.pass`,
      [id],
    );
    const answers = new Map<string, ChunkResult[]>();
    for (const { results, items } of rows) {
      const emails = JSON.parse(items) as string[];
      const pass = new ResultDecoder(results, emails);
      for (const [offset, email] of emails.entries()) {
        if (pass.verdictAt(offset) === null) continue;
        answers.set(email, [...(answers.get(email) ?? []), pass.at(offset)]);
      }
    }
    return answers;
  });
}

/** One statement on the database from outside the service. */
export async function onDatabase(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return (await connectionsTo(url).query(sql, values)).rows;
}

/** The tables that hold the text anywhere. */
export async function tablesWith(url: string, text: string): Promise<string[]> {
  const tables = await onDatabase(
    url,
    `SELECT quote_ident(relname) AS name FROM pg_class
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`,
  );
  const found: string[] = [];
  for (const { name } of tables as { name: string }[])
    if ((await onDatabase(url, `SELECT 1 FROM ${name} AS t WHERE t::text ILIKE $1 LIMIT 1`, [`%${text}%`])).length > 0)
      found.push(name);
  return found;
}

async function withClient<T>(url: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await connectionsTo(url).connect();
  try {
    const done = await work(client);
    client.release();
    return done;
  } catch (error) {
    // It may be in the middle of a transaction.
    client.release(true);
    throw error;
  }
}
