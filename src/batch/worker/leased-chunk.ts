import type { UsedWork } from '../../credits/usage/used-work.js';
import type { Verification } from '../../engine/types.js';
import { VerdictBlock } from '../../reuse/verdict-block.js';
import type { VerdictCounts } from '../model/batch-row.js';
import type { ChunkRetries, RetryPass } from '../model/retry-window.js';

/**
 * A chunk that workers have begun so often in a row without a result may be the cause of their end, so it counts as poisoned: a
 * process works on one poisoned chunk at a time, and no other chunk's attempts are counted with it. The index
 * `batch_chunks_poisoned` names this number, too.
 */
export const ISOLATE_AFTER_ATTEMPTS = 3;

/** A batch that workers have tried so often to repartition by mail operator is worked by domain. */
export const MAX_REPARTITION_ATTEMPTS = 2;

/**
 * A chunk that workers have begun so often in a row without a result is exhausted: nobody begins it again, and its batch fails
 * once all other chunks are done. Kills of workers, PostgreSQL or Redis now and then stay far below this number, because every
 * stored result sets the count back to 0.
 */
export const MAX_ATTEMPTS = 10;

/**
 * SQL: whether a row of `batches` is worked on by workers of a region. What test keys sent is asked of nobody, so any worker takes it.
 * @param region the parameter that has the worker's region; null there: only batches of accounts without one
 */
export function isWorkedIn(region: string): string {
  const elsewhere = `FROM accounts AS elsewhere WHERE elsewhere.region IS NOT NULL AND elsewhere.region IS DISTINCT FROM ${region}::text`;
  // Where no account is of another region, one look at their index tells it for all batches. Else PostgreSQL looks each account up by its
  // key, or reads those of other regions once, whichever is less.
  return `(batches.simulated OR NOT EXISTS (SELECT ${elsewhere})
    OR NOT EXISTS (SELECT ${elsewhere} AND elsewhere.id = batches.account_id))`;
}

/** One pass over a chunk, leased to one worker. */
export interface LeasedChunk {
  readonly batchId: number;
  readonly number: number;
  /** The number by which its results are stored. */
  readonly pass: number;
  /** 0, then the number of a time in the retry window (`RetryWindow`): passes that a correction added are not counted. */
  readonly windowPass: number;
  readonly partition: number;
  /** All items of the chunk, by offset: addresses, or people. */
  readonly items: readonly string[];
  /** The offsets of the items that this pass works on. */
  readonly offsets: readonly number[];
  /** By offset, how many further rows an item answers; items sent once are missing. */
  readonly duplicates: ReadonlyMap<number, number>;
  /** The verdicts that items are given again, by offset; null: none. */
  readonly kept: VerdictBlock | null;
  /** Offsets of items that were refunded: their answers cost nothing. */
  readonly free: ReadonlySet<number>;
  /** What waits of the chunk, this pass included; null before its first pass has ended. */
  readonly retries: ChunkRetries | null;
  /** How often it was begun since its last stored result, this time included: whoever began it before did not finish. */
  readonly attempts: number;
}

export const LEASED_COLUMNS =
  'batch_id, number, pass, attempts, partition, items, offsets, duplicates, kept, later_offsets, waiting_counts, window_ends_at, retry_sources, taken_passes, free_offsets';

export interface ChunkRow {
  readonly batch_id: number;
  readonly number: number;
  readonly pass: number;
  readonly attempts: number;
  readonly partition: number;
  readonly items: string;
  readonly offsets: number[] | null;
  readonly duplicates: number[];
  readonly kept: Buffer | null;
  readonly later_offsets: number[] | null;
  readonly waiting_counts: number[] | null;
  readonly window_ends_at: Date | null;
  readonly retry_sources: string | null;
  readonly taken_passes: number;
  readonly free_offsets: number[] | null;
}

export function toChunk(row: ChunkRow): LeasedChunk {
  const items = JSON.parse(row.items) as string[];
  const pairs = row.duplicates.flatMap((offset, i): [number, number][] =>
    i % 2 === 0 ? [[offset, row.duplicates[i + 1]!]] : [],
  );
  return {
    batchId: row.batch_id,
    number: row.number,
    pass: row.pass,
    windowPass: row.pass - row.taken_passes,
    partition: row.partition,
    items,
    offsets: row.offsets ?? items.map((_, offset) => offset),
    duplicates: new Map(pairs),
    kept: row.kept && new VerdictBlock(row.kept),
    free: new Set(row.free_offsets),
    retries: toRetries(row),
    attempts: row.attempts,
  };
}

function toRetries(row: ChunkRow): ChunkRetries | null {
  const { window_ends_at: windowEndsAt, later_offsets: later, waiting_counts: waiting } = row;
  if (windowEndsAt === null) return null;
  return { windowEndsAt, later: later ?? [], waiting: waiting ?? [], sources: readSources(row.retry_sources) };
}

/** Names of sources with the offsets that each has to come back for, as JSON; null: none. */
export function writeSources(sources: ReadonlyMap<number, string>): string | null {
  if (sources.size === 0) return null;
  const offsets: Record<string, number[]> = {};
  for (const [offset, source] of sources) (offsets[source] ??= []).push(offset);
  return JSON.stringify(offsets);
}

function readSources(text: string | null): ReadonlyMap<number, string> {
  const sources = new Map<number, string>();
  if (text === null) return sources;
  for (const [source, offsets] of Object.entries(JSON.parse(text) as Record<string, number[]>))
    for (const offset of offsets) sources.set(offset, source);
  return sources;
}

export interface DeniedItem {
  readonly offset: number;
  readonly verification: Verification;
  readonly creditsCharged: number;
}

/** The outcome of one pass over a chunk. */
export interface ChunkResults {
  readonly chunk: LeasedChunk;
  /** Final results, as `ResultEncoder` or `PeopleEncoder` writes them. */
  readonly results: string;
  /** Rows by verdict. */
  readonly counts: VerdictCounts;
  readonly creditsCharged: number;
  /** What was done for the credits, by verdict and reason. */
  readonly works: readonly UsedWork[];
  /** Results among them that rest on nothing but the DNS resolver's denial. */
  readonly denials: readonly DeniedItem[];
  /** Null when every item has a final result. */
  readonly retryPass: RetryPass | null;
}
