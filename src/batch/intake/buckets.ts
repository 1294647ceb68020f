/** Tells the bucket of an address by its mail domain, in lower case. */
export type BucketOf = (domain: string) => number;

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
 */
export function chooseBuckets(
  domains: readonly string[],
  areAll: boolean,
  operators: ReadonlyMap<string, string>,
): BucketOf {
  let count = 1;
  while (count < MOST_BUCKETS && (!areAll || count * ADDRESSES_OF_A_BUCKET < domains.length)) count *= 2;
  const nameOf = (domain: string) => operators.get(domain) ?? domain;
  const large = new Map(largeOnes(domains.map(nameOf)).map((name, i) => [name, count + i]));
  return (domain) => {
    const name = nameOf(domain);
    return large.get(name) ?? hashOf(name) & (count - 1);
  };
}

function largeOnes(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const least = Math.max(LEAST_LARGE, names.length * LARGE_PART);
  return [...counts].filter(([, times]) => times >= least).map(([name]) => name);
}

/** FNV-1a, folded: its low bits alone are poor. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
