import { randomInt } from 'node:crypto';
import { DAY_MS } from '../../lib/durations.js';
import type { Batch, BatchKindName, BatchState } from './batch.js';
import type { Verdict } from './chunk-result.js';
import { RETRIED_REASONS } from './retry-window.js';
import type { SentColumns } from './row-ref.js';

/** The day before the first one: ids are above 0, and days until 2048 fit what JSON's numbers hold. */
const DAYS_FROM_MS = Date.UTC(2025, 11, 31);
const MAX_DAY = 2 ** 13 - 1;
/** So many batches a day could be told apart. */
const IDS_A_DAY = 2 ** 40;

/**
 * The id of a batch: the day on which it is made, since rows are stored in a partition for each day, and a random number, so that it does
 * not reveal how many batches there are.
 * @param at milliseconds since the epoch
 */
export function newBatchId(at: number): number {
  return firstIdOf(dayOf(at)) + randomInt(IDS_A_DAY);
}

/** The number that ids of this time begin with. */
export function dayOf(at: number): number {
  return Math.min(Math.max(Math.floor((at - DAYS_FROM_MS) / DAY_MS), 1), MAX_DAY);
}

/** All ids of the day are this one or above, and below that of the day after. */
export function firstIdOf(day: number): number {
  return day * IDS_A_DAY;
}

/** The day as `YYYYMMDD`. */
export function dateOf(day: number): string {
  return new Date(DAYS_FROM_MS + day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
}

export type VerdictCounts = Readonly<Record<Verdict, number>>;

/** A batch as it is inserted, together with its first rows. */
export interface NewBatch {
  readonly id: number;
  readonly accountId: string;
  readonly keyId: string;
  readonly policy: string;
  readonly simulated: boolean;
  readonly kind: BatchKindName;
  readonly createdAt: Date;
  /** The list that it verifies again; null: none. */
  readonly listId: number | null;
  readonly traceId: string;
}

/** Columns that the end of the upload fills in. */
export interface ReceivedBatch {
  readonly state: BatchState;
  readonly name: string | null;
  readonly webhookUrl: string | null;
  readonly columns: SentColumns | null;
  readonly retentionDays: number;
  readonly retryWindowSeconds: number | null;
  readonly totalRows: number;
  readonly uniqueAddresses: number;
  readonly malformed: number | null;
  readonly chunks: number;
  readonly reservationId: string | null;
  /** Null while nothing is reserved. */
  readonly creditSource: Batch['creditSource'];
  readonly creditsReserved: number;
  /** Addresses that are given a verdict again. */
  readonly reused: number;
  /** When a held batch is deleted; null for one that is queued. */
  readonly expiresAt: Date | null;
}

/** Columns of `batches` and their values: the statements that write them follow these tables. */
type Columns<From> = Readonly<Record<string, (from: From) => unknown>>;

const NEW: Columns<NewBatch> = {
  id: ({ id }) => id,
  account_id: ({ accountId }) => accountId,
  key_id: ({ keyId }) => keyId,
  policy: ({ policy }) => policy,
  simulated: ({ simulated }) => simulated,
  kind: ({ kind }) => kind,
  created_at: ({ createdAt }) => createdAt,
  list_id: ({ listId }) => listId,
  trace_id: ({ traceId }) => traceId,
};

const RECEIVED: Columns<ReceivedBatch> = {
  state: ({ state }) => state,
  name: ({ name }) => name,
  webhook_url: ({ webhookUrl }) => webhookUrl,
  columns: ({ columns }) => columns && JSON.stringify(columns),
  retention_days: ({ retentionDays }) => retentionDays,
  retry_window_seconds: ({ retryWindowSeconds }) => retryWindowSeconds,
  total_rows: ({ totalRows }) => totalRows,
  unique_addresses: ({ uniqueAddresses }) => uniqueAddresses,
  malformed: ({ malformed }) => malformed,
  open_chunks: ({ chunks }) => chunks,
  reservation_id: ({ reservationId }) => reservationId,
  credit_source: ({ creditSource }) => creditSource,
  credits_reserved: ({ creditsReserved }) => creditsReserved,
  reused: ({ reused }) => reused,
  expires_at: ({ expiresAt }) => expiresAt,
};

export const NEW_COLUMNS = Object.keys(NEW);
export const RECEIVED_COLUMNS = Object.keys(RECEIVED);
export const WHOLE_COLUMNS = [...NEW_COLUMNS, ...RECEIVED_COLUMNS];

/** The values of a new row of `batches`, in the order of `NEW_COLUMNS`. */
export function newValues(batch: NewBatch): unknown[] {
  return Object.values(NEW).map((valueOf) => valueOf(batch));
}

/** The values of the columns that the end of the upload fills in, in the order of `RECEIVED_COLUMNS`. */
export function receivedValues(received: ReceivedBatch): unknown[] {
  return Object.values(RECEIVED).map((valueOf) => valueOf(received));
}

/** A whole new row of `batches` by the names of its columns, `WHOLE_COLUMNS`. */
export function wholeRow(batch: NewBatch, received: ReceivedBatch): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, valueOf] of Object.entries(NEW)) row[name] = valueOf(batch);
  for (const [name, valueOf] of Object.entries(RECEIVED)) row[name] = valueOf(received);
  return row;
}

/** Parameters of a statement for so many values. */
export function parameters(count: number, first = 1): string[] {
  return Array.from({ length: count }, (_, i) => `$${first + i}`);
}

export const BATCH_COLUMNS = `id, account_id, key_id, policy, simulated, kind, state, list_id, name, webhook_url, columns, retention_days, retry_window_seconds, total_rows,
  unique_addresses, malformed, open_chunks, valid, invalid, risky, unknown, reservation_id, credit_source, credits_reserved,
  credits_charged, reused, is_ordered, trace_id, created_at, started_at, finished_at, expires_at,
  CASE WHEN finished_at IS NULL THEN (
    SELECT json_build_object('next_try_at', min(due_at), 'last_try_at', max(due_at), 'until', max(window_ends_at), 'chunks', count(*),
                             'counts', json_build_array(${RETRIED_REASONS.map((_, i) => `sum(waiting_counts[${i + 1}])`).join(', ')}))
      FROM waiting_chunks(batches.id)
  ) END AS waiting,
  CASE WHEN finished_at IS NULL THEN (
    SELECT max(until) FROM batch_waits AS wait
     WHERE batch_id = batches.id AND is_partition_open(wait.batch_id, wait.partition)
  ) END AS waits_until`;

/** The sums over the chunks that wait; nulls where there are none. */
interface WaitingRow {
  readonly next_try_at: string | null;
  readonly last_try_at: string;
  readonly until: string;
  readonly chunks: number;
  /** By the reasons in their order. */
  readonly counts: readonly (number | null)[];
}

export interface BatchRow extends VerdictCounts {
  readonly id: number;
  readonly account_id: string;
  readonly key_id: string;
  readonly policy: string;
  readonly simulated: boolean;
  readonly kind: BatchKindName;
  readonly state: Batch['state'];
  readonly list_id: number | null;
  readonly name: string | null;
  readonly webhook_url: string | null;
  readonly columns: string | null;
  readonly retention_days: number;
  readonly total_rows: number;
  readonly unique_addresses: number;
  readonly malformed: number | null;
  readonly open_chunks: number;
  readonly retry_window_seconds: number | null;
  readonly waiting: WaitingRow | null;
  readonly waits_until: Date | null;
  readonly reservation_id: string | null;
  readonly credit_source: Batch['creditSource'];
  readonly credits_reserved: number;
  readonly credits_charged: number;
  readonly reused: number;
  readonly is_ordered: boolean;
  readonly trace_id: string | null;
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
    listId: row.list_id,
    name: row.name,
    webhookUrl: row.webhook_url,
    columns: row.columns === null ? null : (JSON.parse(row.columns) as SentColumns),
    retentionDays: row.retention_days,
    totalRows: row.total_rows,
    uniqueAddresses: row.unique_addresses,
    malformed: row.malformed,
    openChunks: row.open_chunks,
    retryWindowSeconds: row.retry_window_seconds,
    waiting: toWaiting(row),
    waitsUntil: row.waits_until,
    counts: { valid: row.valid, invalid: row.invalid, risky: row.risky, unknown: row.unknown },
    reservationId: row.reservation_id,
    creditSource: row.credit_source,
    creditsReserved: row.credits_reserved,
    creditsCharged: row.credits_charged,
    reused: row.reused,
    isOrdered: row.is_ordered,
    traceId: row.trace_id,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
  };
}

function toWaiting({ waiting, open_chunks }: BatchRow): Batch['waiting'] {
  if (waiting === null || waiting.next_try_at === null) return null;
  const reasons = RETRIED_REASONS.map((reason, i) => [reason, waiting.counts[i] ?? 0] as const);
  return {
    count: reasons.reduce((sum, [, count]) => sum + count, 0),
    nextTryAt: new Date(waiting.next_try_at),
    lastTryAt: new Date(waiting.last_try_at),
    until: new Date(waiting.until),
    isRest: waiting.chunks === open_chunks,
    reasons: Object.fromEntries(reasons.filter(([, count]) => count > 0)),
  };
}
