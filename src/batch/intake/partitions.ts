/**
 * What the items of a partition have in common. A chunk by `domain` is repartitioned by mail operator before it is worked on
 * (docs/adr/measured-choices.md, 23); a chunk by `operator` is worked on as it is.
 */
export type PartitionedBy = 'domain' | 'operator';

/** The partition of each mail domain's items. A number is used by domain or by operator, never by both. */
export interface Partitioning {
  /** @param domain hash of the mail domain */
  partitionOf(domain: number): number;
  partitionedBy(partition: number): PartitionedBy;
}

/** Items of a partition, few enough that even a small batch has parts for several workers. */
export const PARTITION_ADDRESSES = 4_000;
/** The most partitions of a batch, so many that a worker can lease a whole partition of a million addresses at once. */
export const MAX_PARTITIONS = 64;
/** A domain with more than this share of the addresses gets a partition of its own: its mail host's limits set the pace there. */
const LARGE_PART = 1 / 32;
/** The fewest addresses of a large domain: enough to fill a chunk. */
const MIN_LARGE = 1_000;

/**
 * Chooses partitions by the first items of a batch.
 * @param domains of the first items, in lower case
 * @param areAll the batch has no other items
 * @param operators consumer domains to the name of their operator, whose mail hosts they share
 * @param hashOf hashes a domain in lower case
 */
export function choosePartitioning(
  domains: readonly string[],
  areAll: boolean,
  operators: ReadonlyMap<string, string>,
  hashOf: (domain: string) => number,
): Partitioning {
  let count = 1;
  while (count < MAX_PARTITIONS && (!areAll || count * PARTITION_ADDRESSES < domains.length)) count *= 2;
  const large = largeOnes(domains.map((domain) => operators.get(domain) ?? domain));
  // A small batch has one partition, so that nothing has to be hashed to find it.
  if (count === 1 && large.length === 0) return { partitionOf: () => 0, partitionedBy: () => 'operator' };
  const own = new Map(large.map((name, i) => [name, count + i]));
  const byHash = (hash: number) => hash & (count - 1);
  const chosen = new Map<number, number>();
  for (const [name, partition] of own) chosen.set(hashOf(name), partition);
  for (const [domain, name] of operators) chosen.set(hashOf(domain), own.get(name) ?? byHash(hashOf(name)));
  return {
    partitionOf: (domain) => chosen.get(domain) ?? byHash(domain),
    // A small batch is not repartitioned: workers take it in a few units, and see the mail operators of each by themselves.
    partitionedBy: (partition) => (areAll || partition >= count ? 'operator' : 'domain'),
  };
}

function largeOnes(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, times]) => isLargePart(times, names.length)).map(([name]) => name);
}

/** Whether so many of a batch's addresses deserve a partition of their own. */
export function isLargePart(addresses: number, all: number): boolean {
  return addresses >= Math.max(MIN_LARGE, all * LARGE_PART);
}
