import { ADDRESSES_OF_A_BUCKET, isLargePart, MOST_BUCKETS } from '../intake/buckets.js';

/** What is known of the addresses that are put into buckets. */
export interface Grouped {
  /** Addresses by mail domain. */
  readonly domains: ReadonlyMap<string, number>;
  /** Domains to those whose caps they come under; a domain that is not in it stands for itself. */
  readonly operators: ReadonlyMap<string, string>;
  /** Operators that have a bucket already. */
  readonly taken: ReadonlyMap<string, number>;
  /** Numbers from here on are free. */
  readonly firstBucket: number;
}

/**
 * One bucket for all domains of an operator: its own when it is a large one, else one with others, about as many addresses in each.
 * @returns the bucket of each domain, in their order
 */
export function chooseOperatorBuckets({ domains, operators, taken, firstBucket }: Grouped): number[] {
  const operatorOf = (domain: string): string => operators.get(domain) ?? domain;
  const sizes = new Map<string, number>();
  let all = 0;
  for (const [domain, addresses] of domains) {
    const operator = operatorOf(domain);
    sizes.set(operator, (sizes.get(operator) ?? 0) + addresses);
    all += addresses;
  }
  const buckets = new Map(taken);
  let next = firstBucket;
  let rest = 0;
  for (const [operator, addresses] of sizes) {
    if (buckets.has(operator)) continue;
    if (isLargePart(addresses, all)) buckets.set(operator, next++);
    else rest += addresses;
  }
  const fill = Math.max(ADDRESSES_OF_A_BUCKET, rest / MOST_BUCKETS);
  let filled = 0;
  for (const [operator, addresses] of sizes) {
    if (buckets.has(operator)) continue;
    if (filled >= fill) {
      next += 1;
      filled = 0;
    }
    buckets.set(operator, next);
    filled += addresses;
  }
  return [...domains.keys()].map((domain) => buckets.get(operatorOf(domain))!);
}
