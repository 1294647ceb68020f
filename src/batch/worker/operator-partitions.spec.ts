import { describe, expect, it } from 'vitest';
import { chooseOperatorPartitions } from './repartition.service.js';

const none = new Map<string, number>();

/** A sample of so many domains, with ten addresses each and three to an operator. */
function manyDomains(count: number) {
  const names = Array.from({ length: count }, (_, i) => `d${i}.test`);
  return {
    domains: new Map(names.map((name) => [name, 10])),
    operators: new Map(names.map((name, i) => [name, `mx${i % (count / 3)}.test`])),
  };
}

describe('partitions by mail operator', () => {
  it('the domains of an operator are in one partition, and partitions have about as many addresses each', () => {
    const { domains, operators } = manyDomains(6_000);
    const partitions = chooseOperatorPartitions({ domains, operators, taken: none, firstPartition: 0 });
    const ofOperator = new Map<string, Set<number>>();
    const sizes = new Map<number, number>();
    for (const [i, domain] of [...domains.keys()].entries()) {
      const partition = partitions[i]!;
      const operator = operators.get(domain)!;
      ofOperator.set(operator, (ofOperator.get(operator) ?? new Set()).add(partition));
      sizes.set(partition, (sizes.get(partition) ?? 0) + domains.get(domain)!);
    }
    expect(new Set([...ofOperator.values()].map(({ size }) => size))).toEqual(new Set([1]));
    expect([...sizes.values()]).toEqual(Array.from({ length: 15 }, () => expect.any(Number)));
    for (const size of [...sizes.values()].slice(0, -1)) expect(size).toBe(4_020);
  });

  it('there are at most 64 partitions beside those of large operators, each of which has its own', () => {
    const { domains, operators } = manyDomains(60_000);
    domains.set('large.test', 100_000);
    const partitions = chooseOperatorPartitions({ domains, operators, taken: none, firstPartition: 0 });
    const own = partitions.at(-1)!;
    expect(partitions.filter((partition) => partition === own)).toHaveLength(1);
    expect(new Set(partitions).size).toBeLessThanOrEqual(65);
  });

  it('an operator that has a partition already keeps it', () => {
    const domains = new Map([
      ['company.test', 2_000],
      ['other.test', 2_000],
    ]);
    const partitions = chooseOperatorPartitions({
      domains,
      operators: new Map([['company.test', 'google']]),
      taken: new Map([['google', 3]]),
      firstPartition: 7,
    });
    expect(partitions).toEqual([3, 7]);
  });
});
