import { expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.js';
import { ResolverJudge } from '../mail-dns/resolver-judge.js';
import { type ReportedDenial, ReportedDenials } from './reported-denials.js';

const KNOWN = 'large.com';

it('the last 10,000 denials are lies when the resolver is found to lie, however many are stored together after an outage', async () => {
  const clock = new ManualClock();
  const denied = async () => ({ outcome: 'nxdomain' as const, ttlSeconds: 60 });
  const judge = new ResolverJudge({
    resolver: { mx: denied, a: denied, aaaa: denied },
    knownDomains: [KNOWN],
    clock,
    random: { fraction: () => 0 },
  });
  const denials = new ReportedDenials(judge);
  let calls = 0;
  denials.onLies(() => (calls += 1));
  const one = (i: number): ReportedDenial => {
    return {
      accountId: 'a',
      address: `${i}`,
      at: clock.now(),
      credits: 1,
      utcDate: null,
      requestId: null,
      row: { batchId: 1, ref: i },
    };
  };
  denials.add(Array.from({ length: 300_000 }, (_, i) => one(i)));
  expect(denials.takeLies()).toEqual([]);
  expect(await judge.check()).toBe(false);
  const lies = denials.takeLies();
  expect([calls, lies.length, lies[0]!.address, lies.at(-1)!.address]).toEqual([1, 10_000, '290000', '299999']);
  // What is told late, of a time in which it lied, is a lie at once.
  denials.add([one(300_000)]);
  expect(denials.takeLies()).toHaveLength(1);
  expect(denials.takeLies()).toEqual([]);
});
