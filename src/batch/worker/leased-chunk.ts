import { KeptBlock } from '../../reuse/kept-block.js';
import type { ChunkRetries } from '../model/retry-window.js';

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
  readonly kept: KeptBlock | null;
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
    kept: row.kept && new KeptBlock(row.kept),
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
