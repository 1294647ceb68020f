import { isLargePart, MAX_PARTITIONS, PARTITION_ADDRESSES } from '../intake/partitions.js';

/** A worker's knowledge of the addresses that it repartitions. */
export interface DomainsByOperator {
  /** Addresses by mail domain. */
  readonly domains: ReadonlyMap<string, number>;
  /** The operator of each domain, to whose limits it is subject; a domain that is missing is its own operator. */
  readonly operators: ReadonlyMap<string, string>;
  /** Operators that have a partition already. */
  readonly taken: ReadonlyMap<string, number>;
  /** Partitions from this number on are free. */
  readonly firstPartition: number;
}

/**
 * Chooses one partition for all domains of an operator: a separate one for a large operator, else one shared with others, all of
 * about the same size.
 * @returns the partition of each domain, in the order of `domains`
 */
export function chooseOperatorPartitions({ domains, operators, taken, firstPartition }: DomainsByOperator): number[] {
  const operatorOf = (domain: string): string => operators.get(domain) ?? domain;
  const sizes = new Map<string, number>();
  let all = 0;
  for (const [domain, addresses] of domains) {
    const operator = operatorOf(domain);
    sizes.set(operator, (sizes.get(operator) ?? 0) + addresses);
    all += addresses;
  }
  const partitions = new Map(taken);
  let next = firstPartition;
  let rest = 0;
  for (const [operator, addresses] of sizes) {
    if (partitions.has(operator)) continue;
    if (isLargePart(addresses, all)) partitions.set(operator, next++);
    else rest += addresses;
  }
  const fill = Math.max(PARTITION_ADDRESSES, rest / MAX_PARTITIONS);
  let filled = 0;
  for (const [operator, addresses] of sizes) {
    if (partitions.has(operator)) continue;
    if (filled >= fill) {
      next += 1;
      filled = 0;
    }
    partitions.set(operator, next);
    filled += addresses;
  }
  return [...domains.keys()].map((domain) => partitions.get(operatorOf(domain))!);
}
