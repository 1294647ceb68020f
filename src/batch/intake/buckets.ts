/** Tells the bucket of an address by the hash of its mail domain. */
export type BucketOf = (domain: number) => number;

/** For parallel work on small batches as well. */
const ADDRESSES_OF_A_BUCKET = 4_000;
/** A million addresses on 60,000 domains: about 8,000 in each, which one worker takes together. */
const MOST_BUCKETS = 64;
/** A domain with more than this part of the addresses has a bucket of its own: its mail host's caps set the pace there. */
const LARGE_PART = 1 / 32;
/** Enough to fill a chunk. */
const LEAST_LARGE = 1_000;

/**
 * Chooses buckets by the first addresses of a batch.
 * @param domains of the first addresses, in lower case
 * @param areAll no others will come
 * @param operators consumer domains to the name of their operator, whose mail hosts they share
 * @param hashOf a domain in lower case
 */
export function chooseBuckets(
  domains: readonly string[],
  areAll: boolean,
  operators: ReadonlyMap<string, string>,
  hashOf: (domain: string) => number,
): BucketOf {
  let count = 1;
  while (count < MOST_BUCKETS && (!areAll || count * ADDRESSES_OF_A_BUCKET < domains.length)) count *= 2;
  const large = largeOnes(domains.map((domain) => operators.get(domain) ?? domain));
  const own = new Map(large.map((name, i) => [name, count + i]));
  const chosen = new Map<number, number>();
  for (const [name, bucket] of own) chosen.set(hashOf(name), bucket);
  for (const [domain, name] of operators) chosen.set(hashOf(domain), own.get(name) ?? hashOf(name) & (count - 1));
  return (domain) => chosen.get(domain) ?? domain & (count - 1);
}

function largeOnes(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const least = Math.max(LEAST_LARGE, names.length * LARGE_PART);
  return [...counts].filter(([, times]) => times >= least).map(([name]) => name);
}
