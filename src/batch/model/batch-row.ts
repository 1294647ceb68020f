import { randomInt } from 'node:crypto';
import { DAY_MS } from '../../lib/durations.js';
import { snakeCase } from '../../lib/snake-case.js';
import type { Batch } from './batch.js';
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

/** Members of a batch as it is inserted, together with its first rows. Its column has the name of a member, in snake case. */
const NEW = ['id', 'accountId', 'keyId', 'policy', 'simulated', 'kind', 'createdAt', 'listId', 'traceId'] as const;

/** Members that the end of the upload fills in. */
const RECEIVED = [
  'state',
  'name',
  'webhookUrl',
  'columns',
  'retentionDays',
  'retryWindowSeconds',
  'totalRows',
  'uniqueAddresses',
  'malformed',
  'openChunks',
  'reservationId',
  'creditSource',
  'creditsReserved',
  'reused',
  'expiresAt',
] as const;

/** Members that the work sets. */
const WORKED = ['creditsCharged', 'isOrdered', 'startedAt', 'finishedAt'] as const;

export type NewBatch = Pick<Batch, (typeof NEW)[number]> & { readonly traceId: string };
export type ReceivedBatch = Pick<Batch, (typeof RECEIVED)[number]>;

type StoredMember = (typeof MEMBERS)[number];
const MEMBERS = [...NEW, ...RECEIVED, ...WORKED];

export const NEW_COLUMNS = NEW.map(snakeCase);
export const RECEIVED_COLUMNS = RECEIVED.map(snakeCase);
export const WHOLE_COLUMNS = [...NEW_COLUMNS, ...RECEIVED_COLUMNS];

/** The values of a new row of `batches`, in the order of `NEW_COLUMNS`. */
export function newValues(batch: NewBatch): unknown[] {
  return NEW.map((member) => batch[member]);
}

/** The values of the columns that the end of the upload fills in, in the order of `RECEIVED_COLUMNS`. */
export function receivedValues(received: ReceivedBatch): unknown[] {
  const row = { ...received, columns: received.columns && JSON.stringify(received.columns) };
  return RECEIVED.map((member) => row[member]);
}

/** A whole new row of `batches` by the names of its columns, `WHOLE_COLUMNS`. */
export function wholeRow(batch: NewBatch, received: ReceivedBatch): Record<string, unknown> {
  const values = [...newValues(batch), ...receivedValues(received)];
  return Object.fromEntries(WHOLE_COLUMNS.map((column, i) => [column, values[i]]));
}

/** Parameters of a statement for so many values. */
export function parameters(count: number, first = 1): string[] {
  return Array.from({ length: count }, (_, i) => `$${first + i}`);
}

export const BATCH_COLUMNS = `${MEMBERS.map((member) => `${snakeCase(member)} AS "${member}"`).join(', ')},
  valid, invalid, risky, unknown,
  CASE WHEN finished_at IS NULL THEN (
    SELECT json_build_object('next_try_at', min(due_at), 'last_try_at', max(due_at), 'until', max(window_ends_at), 'chunks', count(*),
                             'counts', json_build_array(${RETRIED_REASONS.map((_, i) => `sum(waiting_counts[${i + 1}])`).join(', ')}))
      FROM waiting_chunks(batches.id)
  ) END AS waiting,
  CASE WHEN finished_at IS NULL THEN (
    SELECT max(until) FROM batch_waits AS wait
     WHERE batch_id = batches.id AND is_partition_open(wait.batch_id, wait.partition)
  ) END AS "waitsUntil"`;

/** The sums over the chunks that wait; nulls where there are none. */
interface WaitingRow {
  readonly next_try_at: string | null;
  readonly last_try_at: string;
  readonly until: string;
  readonly chunks: number;
  /** By the reasons in their order. */
  readonly counts: readonly (number | null)[];
}

export interface BatchRow extends Omit<Pick<Batch, StoredMember | 'waitsUntil'>, 'columns'>, VerdictCounts {
  readonly columns: string | null;
  readonly waiting: WaitingRow | null;
}

/** @param row may have columns of other tables beside */
export function toBatch(row: BatchRow): Batch {
  const { columns, valid, invalid, risky, unknown, waitsUntil } = row;
  const stored = Object.fromEntries(MEMBERS.map((member) => [member, row[member]])) as Pick<Batch, StoredMember>;
  return {
    ...stored,
    columns: columns === null ? null : (JSON.parse(columns) as SentColumns),
    counts: { valid, invalid, risky, unknown },
    waiting: toWaiting(row),
    waitsUntil,
  };
}

function toWaiting({ waiting, openChunks }: BatchRow): Batch['waiting'] {
  if (waiting === null || waiting.next_try_at === null) return null;
  const reasons = RETRIED_REASONS.map((reason, i) => [reason, waiting.counts[i] ?? 0] as const);
  return {
    count: reasons.reduce((sum, [, count]) => sum + count, 0),
    nextTryAt: new Date(waiting.next_try_at),
    lastTryAt: new Date(waiting.last_try_at),
    until: new Date(waiting.until),
    isRest: waiting.chunks === openChunks,
    reasons: Object.fromEntries(reasons.filter(([, count]) => count > 0)),
  };
}
