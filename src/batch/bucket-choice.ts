import type { Bucket } from './batch-chunks.store.js';

/** Chunks that are taken at once and what of them a bucket offers. */
export interface Choice {
  readonly buckets: readonly number[];
  readonly limit: number;
}

/** Chunks taken together: all of a bucket of a million addresses, so that each domain's are asked about on one connection. */
const CHUNKS_OF_A_LOAD = 16;
/** Of a larger bucket, which is that of one mail operator: its caps set the pace, and others shall have room beside it. */
const CHUNKS_OF_A_LARGE_ONE = 4;
/** With so few left in work here the next ones of the bucket are taken, so that its connections do not idle. */
export const FEW_CHUNKS = 1;

/**
 * Where to work next. A bucket is worked by one process at a time: two at one operator would only wait for each other's connections.
 * @param mine chunks in work here, by bucket
 * @param fraction a random number in [0, 1): processes that look at once do not begin with the same
 * @returns null when nothing is left that others do not work on
 */
export function chooseBuckets(
  buckets: readonly Bucket[],
  mine: ReadonlyMap<number, number>,
  fraction: number,
): Choice | null {
  const open = buckets.filter(({ free, isUngrouped }) => free > 0 && !isUngrouped);
  const isLarge = ({ free }: Bucket) => free > CHUNKS_OF_A_LOAD;
  const begun = open.find(({ bucket, held }) => held > 0 && held === mine.get(bucket) && held <= FEW_CHUNKS);
  if (begun !== undefined)
    return { buckets: [begun.bucket], limit: isLarge(begun) ? CHUNKS_OF_A_LARGE_ONE : CHUNKS_OF_A_LOAD };
  const fresh = open.filter(({ held }) => held === 0);
  const large = fresh.filter(isLarge);
  const small = fresh.filter((bucket) => !isLarge(bucket));
  if (fresh.length === 0) return null;
  // The large ones take longest: by turns with others, so that processes that begin together share them.
  if (large.length > 0 && (small.length === 0 || fraction < 0.5)) {
    const first = large[Math.floor(fraction * 2 * large.length) % large.length]!;
    return { buckets: [first.bucket], limit: CHUNKS_OF_A_LARGE_ONE };
  }
  return { buckets: runFrom(small, Math.floor(fraction * small.length)), limit: CHUNKS_OF_A_LOAD };
}

/** As many whole buckets as make a load; at least one. */
function runFrom(small: readonly Bucket[], first: number): number[] {
  const run: number[] = [];
  let chunks = 0;
  for (const { bucket, free } of [...small.slice(first), ...small.slice(0, first)]) {
    if (run.length > 0 && chunks + free > CHUNKS_OF_A_LOAD) break;
    run.push(bucket);
    chunks += free;
  }
  return run;
}
