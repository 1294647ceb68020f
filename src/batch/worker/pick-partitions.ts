/** The open chunks of a partition. */
export interface Partition {
  readonly number: number;
  /** Chunks that may be leased now. */
  readonly free: number;
  /** Chunks that a worker has leased. */
  readonly leased: number;
  /** Some of its chunks are to be repartitioned by mail operator before a worker works on them. */
  readonly isByDomain: boolean;
}

/** Chunks to lease together: some partitions, and how many chunks of them. */
export interface Choice {
  readonly partitions: readonly number[];
  readonly limit: number;
}

/**
 * Chunks leased together: as many as a partition has in a batch of a million, so that one connection serves all addresses of a
 * domain.
 */
const CHUNKS_OF_A_UNIT = 16;
/**
 * Chunks leased together from a larger partition, which has one mail operator only: the operator's limits set the pace, and other
 * work needs room beside it.
 */
const CHUNKS_OF_A_LARGE_PARTITION = 4;
/** With so few chunks left in work here, the worker leases the partition's next ones, so that its connections do not idle. */
export const FEW_CHUNKS = 1;

/**
 * Chooses where to work next. One process works on a partition at a time, because two at one operator only wait for each other's
 * connections.
 * @param mine chunks in work here, by partition
 * @param fraction a random number in [0, 1): processes that look at the same moment begin with different partitions
 * @returns null when other processes work on all that is left
 */
export function pickPartitions(
  partitions: readonly Partition[],
  mine: ReadonlyMap<number, number>,
  fraction: number,
): Choice | null {
  const open = partitions.filter(({ free, isByDomain }) => free > 0 && !isByDomain);
  const isLarge = ({ free }: Partition) => free > CHUNKS_OF_A_UNIT;
  const begun = open.find(({ number, leased }) => leased > 0 && leased === mine.get(number) && leased <= FEW_CHUNKS);
  if (begun !== undefined)
    return { partitions: [begun.number], limit: isLarge(begun) ? CHUNKS_OF_A_LARGE_PARTITION : CHUNKS_OF_A_UNIT };
  const fresh = open.filter(({ leased }) => leased === 0);
  const large = fresh.filter(isLarge);
  const small = fresh.filter((partition) => !isLarge(partition));
  if (fresh.length === 0) return null;
  // Every second choice is a large partition: these take longest, and processes that begin together share them so.
  if (large.length > 0 && (small.length === 0 || fraction < 0.5)) {
    const first = large[Math.floor(fraction * 2 * large.length) % large.length]!;
    return { partitions: [first.number], limit: CHUNKS_OF_A_LARGE_PARTITION };
  }
  return { partitions: runFrom(small, Math.floor(fraction * small.length)), limit: CHUNKS_OF_A_UNIT };
}

/** As many whole partitions as fit in a unit; at least one. */
function runFrom(small: readonly Partition[], first: number): number[] {
  const run: number[] = [];
  let chunks = 0;
  for (const { number, free } of [...small.slice(first), ...small.slice(0, first)]) {
    if (run.length > 0 && chunks + free > CHUNKS_OF_A_UNIT) break;
    run.push(number);
    chunks += free;
  }
  return run;
}
