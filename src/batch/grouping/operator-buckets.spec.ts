import { describe, expect, it } from 'vitest';
import { chooseOperatorBuckets } from './operator-buckets.js';

const none = new Map<string, number>();

/** So many domains of ten addresses, three to each operator. */
function manyDomains(count: number) {
  const names = Array.from({ length: count }, (_, i) => `d${i}.test`);
  return {
    domains: new Map(names.map((name) => [name, 10])),
    operators: new Map(names.map((name, i) => [name, `mx${i % (count / 3)}.test`])),
  };
}

describe('buckets by mail operator', () => {
  it('have all domains of an operator in one, and about as many addresses in each', () => {
    const { domains, operators } = manyDomains(6_000);
    const buckets = chooseOperatorBuckets({ domains, operators, taken: none, firstBucket: 0 });
    const ofOperator = new Map<string, Set<number>>();
    const sizes = new Map<number, number>();
    for (const [i, domain] of [...domains.keys()].entries()) {
      const bucket = buckets[i]!;
      const operator = operators.get(domain)!;
      ofOperator.set(operator, (ofOperator.get(operator) ?? new Set()).add(bucket));
      sizes.set(bucket, (sizes.get(bucket) ?? 0) + domains.get(domain)!);
    }
    expect(new Set([...ofOperator.values()].map(({ size }) => size))).toEqual(new Set([1]));
    expect([...sizes.values()]).toEqual(Array.from({ length: 15 }, () => expect.any(Number)));
    for (const size of [...sizes.values()].slice(0, -1)) expect(size).toBe(4_020);
  });

  it('are at most 64 beside those of large operators, each of which has its own', () => {
    const { domains, operators } = manyDomains(60_000);
    domains.set('large.test', 100_000);
    const buckets = chooseOperatorBuckets({ domains, operators, taken: none, firstBucket: 0 });
    const own = buckets.at(-1)!;
    expect(buckets.filter((bucket) => bucket === own)).toHaveLength(1);
    expect(new Set(buckets).size).toBeLessThanOrEqual(65);
  });

  it('go on from those that are there: an operator that has one keeps it', () => {
    const domains = new Map([
      ['company.test', 2_000],
      ['other.test', 2_000],
    ]);
    const buckets = chooseOperatorBuckets({
      domains,
      operators: new Map([['company.test', 'google']]),
      taken: new Map([['google', 3]]),
      firstBucket: 7,
    });
    expect(buckets).toEqual([3, 7]);
  });
});
