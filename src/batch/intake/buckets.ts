/**
 * Tells the bucket of an address by the hash of its mail domain. Negative ones hold what is grouped by mail operator before it is worked on
 * (docs/adr/0023).
 */
export type BucketOf = (domain: number) => number;

/** For parallel work on small batches as well. */
export const ADDRESSES_OF_A_BUCKET = 4_000;
/** A million addresses on 60,000 domains: about 8,000 in each, which one worker takes together. */
export const MOST_BUCKETS = 64;
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
  // What is all here is worked on in a few loads, each of which sees its mail operators by itself.
  const bucketOf = (hash: number) => (areAll ? hash & (count - 1) : -1 - (hash & (count - 1)));
  const chosen = new Map<number, number>();
  for (const [name, bucket] of own) chosen.set(hashOf(name), bucket);
  for (const [domain, name] of operators) chosen.set(hashOf(domain), own.get(name) ?? bucketOf(hashOf(name)));
  return (domain) => chosen.get(domain) ?? bucketOf(domain);
}

function largeOnes(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, times]) => isLargePart(times, names.length)).map(([name]) => name);
}

/** Whether so many of all addresses are worth a bucket of their own. */
export function isLargePart(addresses: number, all: number): boolean {
  return addresses >= Math.max(LEAST_LARGE, all * LARGE_PART);
}
