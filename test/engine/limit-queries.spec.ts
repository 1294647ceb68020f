import { describe, expect, it } from 'vitest';

import { held, type Held } from '../support/held.js';
import type { DnsAnswer, Resolver } from '../../src/engine/ports.js';
import { permitsByTurn } from '../../src/engine/dns/limit-queries.js';

/** A resolver whose queries stay outstanding until the test answers or breaks them. */
function startResolver() {
  const outstanding = new Map<string, Held<DnsAnswer<never>>>();
  const asked: string[] = [];
  const ask = (type: string) => (name: string) => {
    const query = held<DnsAnswer<never>>();
    asked.push(`${type} ${name}`);
    outstanding.set(`${type} ${name}`, query);
    return query.promise.finally(() => outstanding.delete(`${type} ${name}`));
  };
  return { resolver: { mx: ask('mx'), a: ask('a'), aaaa: ask('aaaa') }, outstanding, asked };
}

function limitQueries(resolver: Resolver, limits: Parameters<typeof permitsByTurn>[0]): Resolver {
  const permits = permitsByTurn(limits);
  return {
    mx: (domain, turn) => permits(turn).run(() => resolver.mx(domain), turn),
    a: (host, turn) => permits(turn).run(() => resolver.a(host), turn),
    aaaa: (host, turn) => permits(turn).run(() => resolver.aaaa(host), turn),
  };
}

const settled = () => new Promise<void>((done) => setImmediate(done));

describe('the limit of DNS queries', () => {
  it('never lets more than its number be outstanding over all kinds, and asks every one in turn', async () => {
    const { resolver, outstanding, asked } = startResolver();
    const limited = limitQueries(resolver, { ofLists: 50, ofSingles: 50 });
    const names = Array.from({ length: 60 }, (_, i) => `d${i}`);
    const answers = Promise.all(names.flatMap((name) => [limited.mx(name), limited.a(name), limited.aaaa(name)]));
    let most = 0;
    for (let turn = 0; turn < 180; turn += 1) {
      await settled();
      most = Math.max(most, outstanding.size);
      [...outstanding.values()][turn % Math.max(outstanding.size, 1)]?.resolve({ outcome: 'nodata' });
    }
    expect(await answers).toHaveLength(180);
    expect(most).toBe(50);
    expect(asked).toEqual(names.flatMap((name) => [`mx ${name}`, `a ${name}`, `aaaa ${name}`]));
  });

  it('lets lists take turns, and asks at once for whoever waits behind no list, whatever a list of dead domains holds', async () => {
    const { resolver, outstanding, asked } = startResolver();
    const limited = limitQueries(resolver, { ofLists: 1, ofSingles: 1 });
    for (const domain of ['dead1', 'dead2', 'dead3']) void limited.mx(domain, 'large');
    void limited.mx('other', 'small');
    void limited.a('now', null);
    await settled();
    expect([...outstanding.keys()]).toEqual(['mx dead1', 'a now']);
    for (let turn = 0; turn < 5; turn += 1) {
      await settled();
      [...outstanding.values()][0]!.resolve({ outcome: 'nodata' });
    }
    expect(asked).toEqual(['mx dead1', 'a now', 'mx dead2', 'mx other', 'mx dead3']);
  });

  it('gives the permit of a query that failed to the next one', async () => {
    const { resolver, outstanding } = startResolver();
    const limited = limitQueries(resolver, { ofLists: 1, ofSingles: 1 });
    const first = limited.mx('first');
    const second = limited.a('second');
    await settled();
    expect([...outstanding.keys()]).toEqual(['mx first']);
    outstanding.get('mx first')!.reject(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await settled();
    expect([...outstanding.keys()]).toEqual(['a second']);
    outstanding.get('a second')!.resolve({ outcome: 'nxdomain' });
    expect(await second).toEqual({ outcome: 'nxdomain' });
  });

  it('has all its permits again after the queue was empty', async () => {
    const { resolver, outstanding } = startResolver();
    const limited = limitQueries(resolver, { ofLists: 2, ofSingles: 2 });
    const first = ['a', 'b', 'c'].map((name) => limited.mx(name));
    for (let turn = 0; turn < 3; turn += 1) {
      await settled();
      [...outstanding.values()][0]?.resolve({ outcome: 'nodata' });
    }
    await Promise.all(first);
    void limited.mx('d');
    void limited.mx('e');
    void limited.mx('f');
    await settled();
    expect([...outstanding.keys()]).toEqual(['mx d', 'mx e']);
  });
});
