import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { createNodeResolver } from '../../src/mail-dns/resolver.js';
import type { Clock } from '../../src/lib/clock.js';
import type { Resolver } from '../../src/mail-dns/domain-dns.js';
import { openDnsChannel } from '../../src/platform/dns/record-resolver.js';
import { systemClock } from '../../src/verify/ports/node-ports.js';
import { startDnsServer, type DnsReply, type DnsServer, type DnsServerOptions } from '../support/dns-server.js';
import { held } from '../support/held.js';
import { ManualClock } from '../support/manual-clock.js';
import { nextLook } from '../support/next-look.js';

const manyHosts = Array.from({ length: 200 }, (_, i) => [i, `mx-${i}.with-a-long-name.many.test`] as const);

const ZONES: Record<string, DnsReply> = {
  'two.test': {
    MX: [
      [20, 'MX2.Two.Test'],
      [10, 'mx1.two.test'],
    ],
  },
  'alias.test': { CNAME: 'two.test' },
  'alias-of-nothing.test': { CNAME: 'gone.test' },
  'alias-of-host.test': { CNAME: 'host.test' },
  'null.test': { MX: [[0, '.']] },
  'literal.test': { MX: [[10, '192.0.2.1']] },
  'host.test': { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'], ttlSeconds: 77 },
  'no-ttl.test': { A: ['192.0.2.1'], ttlSeconds: 0 },
  'failing.test': 'servfail',
  'refusing.test': 'refused',
  'broken.test': 'malformed',
  'silent.test': 'silent',
  'empty.test': 'nodata',
  'truncated.test': { truncated: true, MX: [[10, 'mx.test']], A: ['192.0.2.3'] },
  'many.test': { MX: manyHosts },
  '*.wild.test': { MX: [[10, 'mx.wild.test']] },
};

const servers: DnsServer[] = [];
let dns: DnsServer;
let resolver: Resolver;

async function serve(options: DnsServerOptions): Promise<DnsServer> {
  const server = await startDnsServer(options);
  servers.push(server);
  return server;
}

function asking(patienceMs: number, ...asked: DnsServer[]): Resolver {
  return askingBy(systemClock, patienceMs, ...asked);
}

function askingBy(clock: Clock, patienceMs: number, ...asked: DnsServer[]): Resolver {
  const servers = asked.map(({ address }) => address);
  return createNodeResolver({ servers, clock, patienceMs, open: openDnsChannel });
}

beforeAll(async () => {
  dns = await startDnsServer({ zones: ZONES });
  resolver = asking(5000, dns);
});

afterAll(() => dns.close());

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('the resolver over real packets', () => {
  it('the resolver over real packets returns MX records in lower case without a trailing dot, with their time to live', async () => {
    expect(await resolver.mx('two.test')).toEqual({
      outcome: 'found',
      records: [
        { exchange: 'mx2.two.test', preference: 20 },
        { exchange: 'mx1.two.test', preference: 10 },
      ],
      ttlSeconds: 600,
    });
  });

  it('the resolver over real packets returns a null MX as an empty exchange, and an IP address unchanged', async () => {
    expect(await resolver.mx('null.test')).toMatchObject({ records: [{ exchange: '', preference: 0 }] });
    expect(await resolver.mx('literal.test')).toMatchObject({ records: [{ exchange: '192.0.2.1' }] });
  });

  it('the resolver over real packets returns the addresses of both families with their time to live', async () => {
    expect(await resolver.a('host.test')).toEqual({
      outcome: 'found',
      records: ['192.0.2.1', '192.0.2.2'],
      ttlSeconds: 77,
    });
    expect(await resolver.aaaa('host.test')).toEqual({ outcome: 'found', records: ['2001:db8::1'], ttlSeconds: 77 });
    expect(await resolver.a('no-ttl.test')).toMatchObject({ ttlSeconds: 0 });
  });

  it('the resolver over real packets follows an alias to the records, to NXDOMAIN, and to a name that has no such records', async () => {
    expect(await resolver.mx('alias.test')).toMatchObject({ outcome: 'found', records: [{}, {}] });
    expect(await resolver.mx('alias-of-nothing.test')).toEqual({ outcome: 'nxdomain' });
    expect(await resolver.mx('alias-of-host.test')).toEqual({ outcome: 'nodata' });
    expect(await resolver.a('alias.test')).toEqual({ outcome: 'nodata' });
  });

  it.each([
    ['gone.test', 'nxdomain'],
    ['empty.test', 'nodata'],
    ['host.test', 'nodata'],
    ['failing.test', 'servfail'],
    ['refusing.test', 'servfail'],
    ['broken.test', 'servfail'],
  ])('the resolver over real packets says of the MX of %s: %s', async (name, outcome) => {
    expect(await resolver.mx(name)).toEqual({ outcome });
  });

  it.each([
    ['gone.test', 'nxdomain'],
    ['two.test', 'nodata'],
    ['failing.test', 'servfail'],
    ['refusing.test', 'servfail'],
    ['broken.test', 'servfail'],
  ])('the resolver over real packets says of the addresses of %s: %s', async (name, outcome) => {
    expect(await resolver.a(name)).toEqual({ outcome });
    expect(await resolver.aaaa(name)).toEqual({ outcome });
  });

  it('the resolver over real packets says timeout when the server is silent', async () => {
    expect(await asking(50, dns).mx('silent.test')).toEqual({ outcome: 'timeout' });
  });

  it('the resolver over real packets returns servfail when no server listens', async () => {
    const gone = await startDnsServer();
    await gone.close();
    expect(await asking(5000, gone).mx('two.test')).toEqual({ outcome: 'servfail' });
  });

  it.each(['a..test', `${'x'.repeat(64)}.test`, 'with space.test', '\\', '\0', ''])(
    'the resolver over real packets does not reject for the name %j',
    async (name) => {
      expect((await resolver.mx(name)).outcome).toMatch(/^(servfail|nxdomain)$/);
    },
  );

  it('the resolver over real packets repeats a truncated answer over TCP', async () => {
    const before = dns.questions.length;
    expect(await resolver.mx('truncated.test')).toMatchObject({ records: [{ exchange: 'mx.test' }] });
    expect(await resolver.a('truncated.test')).toMatchObject({ records: ['192.0.2.3'] });
    expect(dns.questions.slice(before).map(({ type, transport }) => `${type} ${transport}`)).toEqual([
      'MX udp',
      'MX tcp',
      'A udp',
      'A tcp',
    ]);
  });

  it('the resolver over real packets gets answers that no UDP packet holds', async () => {
    const answer = await resolver.mx('many.test');
    expect(answer.outcome === 'found' && answer.records).toHaveLength(200);
    expect(dns.questions.at(-1)).toEqual({ name: 'many.test', type: 'MX', transport: 'tcp' });
  });

  it('the resolver over real packets is answered by wildcards and by names that are set later', async () => {
    expect(await resolver.mx('any.name.wild.test')).toMatchObject({ records: [{ exchange: 'mx.wild.test' }] });
    expect(await resolver.mx('wild.test')).toEqual({ outcome: 'nxdomain' });
    dns.set('later.test', { MX: [[1, 'mx.later.test']] });
    expect(await resolver.mx('later.test')).toMatchObject({ records: [{ exchange: 'mx.later.test' }] });
  });
});

describe('the resolver with several servers', () => {
  const MX = [[10, 'mx.test']] as const;

  it.each(['servfail', 'refused', 'malformed'] as const)(
    'the resolver with several servers asks the second when the first says %s',
    async (behaviour) => {
      const first = await serve({ answer: () => behaviour });
      const second = await serve({ zones: { 'a.test': { MX } } });
      expect(await asking(5000, first, second).mx('a.test')).toMatchObject({ records: [{ exchange: 'mx.test' }] });
    },
  );

  it('the resolver with several servers asks the second when the first is silent, and when it is gone', async () => {
    const [silent, gone] = [await serve({ answer: () => 'silent' }), await startDnsServer()];
    await gone.close();
    const second = await serve({ zones: { 'a.test': { MX } } });
    expect(await asking(50, silent, second).mx('a.test')).toMatchObject({ outcome: 'found' });
    expect(await asking(5000, gone, second).mx('a.test')).toMatchObject({ outcome: 'found' });
  });

  it.each(['nxdomain', 'nodata'] as const)(
    'the resolver with several servers believes the first that says %s',
    async (behaviour) => {
      const first = await serve({ answer: () => behaviour });
      const second = await serve({ zones: { 'a.test': { MX } } });
      expect(await asking(5000, first, second).mx('a.test')).toEqual({ outcome: behaviour });
      expect(second.questions).toEqual([]);
    },
  );

  it('the resolver with several servers asks the one that was left aside for its silence when the other says servfail', async () => {
    const first = await serve({ zones: { 'silent.test': 'silent', 'a.test': { MX } } });
    const second = await serve({ zones: { 'silent.test': { MX }, 'a.test': 'servfail' } });
    const resolver = asking(5000, first, second);
    expect(await resolver.mx('silent.test')).toMatchObject({ outcome: 'found' });
    expect(await resolver.mx('a.test')).toMatchObject({ outcome: 'found' });
    expect(second.questions.map(({ name }) => name)).toContain('a.test');
  });

  it('the resolver with several servers says servfail when all of them do', async () => {
    const both = [await serve({ answer: () => 'servfail' }), await serve({ answer: () => 'refused' })];
    expect(await asking(5000, ...both).mx('a.test')).toEqual({ outcome: 'servfail' });
  });

  it('the resolver with several servers asks a server with an IPv6 address', async () => {
    const server = await serve({ host: '::1', zones: { 'a.test': { MX } } });
    expect(await asking(5000, server).mx('a.test')).toMatchObject({ outcome: 'found' });
  });

  it('the resolver with several servers refuses a server that is no address', () => {
    const options = { servers: ['ns.test'], clock: systemClock, patienceMs: 50, open: openDnsChannel };
    expect(() => createNodeResolver(options)).toThrow('ns.test');
  });
});

describe('the patience of the resolver', () => {
  const MX = [[10, 'mx.test']] as const;
  const PATIENCE_MS = 2_000;
  const LEFT_MS = 1_600;

  /** A resolver whose server has always answered at once so far, and says of other names what the test wants to their nth question. */
  async function afterFastAnswers(nth: (time: number) => DnsReply | Promise<DnsReply>, clock: Clock = systemClock) {
    const times = new Map<string, number>();
    const server = await serve({
      zones: { '*.fast.test': { MX } },
      answer: (name) => {
        const time = (times.get(name) ?? 0) + 1;
        times.set(name, time);
        return nth(time);
      },
    });
    const resolver = askingBy(clock, PATIENCE_MS, server);
    await Promise.all(Array.from({ length: 200 }, (_, i) => resolver.mx(`d${i}.fast.test`)));
    return { resolver, server, times };
  }

  it('the patience of the resolver is not shortened by fast answers, nor ended by asking again: an answer that takes its time is heard', async () => {
    const askedAgain = held<void>();
    const { resolver, times } = await afterFastAnswers(async (time) => {
      if (time === 2) await askedAgain.promise;
      if (time === 3) askedAgain.resolve();
      return time === 2 ? { MX } : 'silent';
    });
    expect(await resolver.mx('slow.test')).toMatchObject({ outcome: 'found' });
    expect(times.get('slow.test')).toBe(3);
  });

  /** Lets a minute of patience pass from one question to the next. @param asked how often it was asked so far */
  async function askThreeTimesMore(clock: ManualClock, asked: () => number): Promise<void> {
    for (const [questions, ms] of [12_000, 16_000, 16_000].entries()) {
      await expect.poll(asked).toBe(questions + 1);
      await clock.armed(ms);
      clock.advance(ms);
    }
  }

  it('the patience of the resolver is enough for an answer to the first question that comes after three more were asked', async () => {
    const askedFourTimes = held<void>();
    let time = 0;
    const server = await serve({
      answer: async () => {
        time += 1;
        if (time === 4) askedFourTimes.resolve();
        if (time > 1) return 'silent';
        await askedFourTimes.promise;
        return { MX };
      },
    });
    const clock = new ManualClock();
    // c-ares knows nothing of the server yet, and listens for seconds.
    const answer = askingBy(clock, 60_000, server).mx('slow.test');
    await askThreeTimesMore(clock, () => time);
    expect(await answer).toMatchObject({ outcome: 'found' });
    expect(clock.pending).toBe(0);
  });

  it('the patience of the resolver is enough for an answer to the second question that comes over TCP after two more were asked', async () => {
    const askedFourTimes = held<void>();
    let time = 0;
    const server = await serve({
      answer: async () => {
        time += 1;
        if (time === 4) askedFourTimes.resolve();
        // The fifth is the second one again, over TCP.
        if (time === 1 || time === 3 || time === 4) return 'silent';
        if (time === 2) await askedFourTimes.promise;
        return { MX, truncated: true };
      },
    });
    const clock = new ManualClock();
    const answer = askingBy(clock, 60_000, server).mx('slow.test');
    await askThreeTimesMore(clock, () => time);
    expect(await answer).toMatchObject({ outcome: 'found', records: [{ exchange: 'mx.test', preference: 10 }] });
    expect(server.questions.map(({ transport }) => transport)).toEqual(['udp', 'udp', 'udp', 'udp', 'tcp']);
    expect(clock.pending).toBe(0);
  });

  it('the patience of the resolver outlasts a burst of lost packets for each of many names', async () => {
    const { resolver } = await afterFastAnswers((time) => (time < 3 ? 'silent' : { MX }));
    const answers = await Promise.all(Array.from({ length: 26 }, (_, i) => resolver.mx(`lost${i}.test`)));
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
  });

  it('the patience of the resolver ends when its time is over, after four questions to a silent server', async () => {
    const clock = new ManualClock();
    const { resolver, times } = await afterFastAnswers(() => 'silent', clock);
    const answer = resolver.mx('silent.test');
    for (const questions of [2, 3, 4]) {
      await clock.armed(LEFT_MS / 3);
      await expect.poll(() => times.get('silent.test')).toBe(questions);
      clock.advance(LEFT_MS / 3);
    }
    expect(await answer).toEqual({ outcome: 'timeout' });
    expect([times.get('silent.test'), clock.pending]).toEqual([4, 0]);
  });

  it('the patience of the resolver does not keep other names waiting behind those that need it', async () => {
    const clock = new ManualClock();
    const { resolver } = await afterFastAnswers(() => 'silent', clock);
    const silent = Array.from({ length: 120 }, (_, i) => resolver.mx(`silent${i}.test`));
    const next = resolver.mx('next.fast.test');
    expect(await Promise.race([next, ...silent])).toMatchObject({ outcome: 'found' });
    // None is asked again while the next spec runs.
    const ended = Promise.all(silent);
    while ((await Promise.race([ended, nextLook()])) === undefined) clock.advance(LEFT_MS);
    expect(new Set((await ended).map(({ outcome }) => outcome))).toEqual(new Set(['timeout']));
  });

  it('the patience of the resolver is not for ever more silent names that single callers ask for: those that would come too late end with what was heard', async () => {
    const clock = new ManualClock();
    const { resolver } = await afterFastAnswers(() => 'silent', clock);
    const ended: string[] = [];
    const silent = Array.from({ length: 400 }, async (_, i) => {
      const { outcome } = await resolver.mx(`silent${i}.test`, null);
      ended.push(outcome);
    });
    // No time goes by for the 150 that are or wait to be asked again.
    await expect.poll(() => ended.length).toBe(250);
    expect(await resolver.mx('next.fast.test', null)).toMatchObject({ outcome: 'found' });
    while (ended.length < silent.length) {
      clock.advance(LEFT_MS / 3);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(new Set(ended)).toEqual(new Set(['timeout']));
  });
});

describe('many questions', () => {
  it('many questions has at most 50 outstanding, and asks the others as these are answered', async () => {
    const fiftyAsked = held<void>();
    const go = held<void>();
    let most = 0;
    let outstanding = 0;
    const server = await serve({
      zones: { 'probe.test': 'nodata' },
      async answer() {
        outstanding += 1;
        most = Math.max(most, outstanding);
        if (outstanding === 50) fiftyAsked.resolve();
        await go.promise;
        outstanding -= 1;
        return 'nodata' as const;
      },
    });
    const limited = asking(60_000, server);
    const answers = Promise.all(Array.from({ length: 200 }, (_, i) => limited.mx(`d${i}.test`)));
    await fiftyAsked.promise;
    // What was sent before this question has arrived when it is answered.
    await asking(60_000, server).mx('probe.test');
    expect(outstanding).toBe(50);
    go.resolve();
    expect(new Set((await answers).map(({ outcome }) => outcome))).toEqual(new Set(['nodata']));
    expect(most).toBe(50);
    expect(server.questions).toHaveLength(201);
  });
});

describe('accounts that ask at once', () => {
  const MX = [[10, 'mx.test']] as const;

  it.each([
    { kind: 'lists', places: 150, turnOf: (account: string) => account },
    { kind: 'single callers', places: 1_500, turnOf: () => null },
  ])(
    'accounts that ask at once are asked for at once beside eight whose $kind have names that are silent',
    async ({ places, turnOf }) => {
      const clock = new ManualClock();
      const server = await serve({ zones: { '*.honest.test': { MX } }, answer: () => 'silent' });
      const crowd = askingBy(clock, 60_000, server);
      for (let i = 0; i < 8 * 300; i += 1) {
        void crowd.mx(`d${i}.silent.test`, turnOf(`account ${i % 8}`), `account ${i % 8}`);
        // The server's socket holds some hundreds of packets, and drops the others.
        if (i % 100 === 0) await nextLook();
      }
      // No time goes by, so that no silent name gives its place back.
      const names = Array.from({ length: 20 }, (_, i) => `d${i}.honest.test`);
      const answers = await Promise.all(names.map((name) => crowd.mx(name, turnOf('victim'), 'victim')));
      expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
      const at = server.questions.findIndex(({ name }) => name.endsWith('.honest.test'));
      console.log(
        'before',
        new Set(server.questions.slice(0, at).map((q) => q.name)).size,
        server.questions.length,
        clock.pending,
      );
      // Each silent name that holds a place has a timer, and one that gave it back would have another.
      expect(clock.pending).toBeGreaterThan(places / 2);
      expect(clock.pending).toBeLessThan(places);
    },
  );

  it('accounts that ask at once have the same name asked once while it is outstanding, though one of them has no place left', async () => {
    const go = held<void>();
    const server = await serve({
      zones: { '*.silent.test': 'silent' },
      answer: () => go.promise.then(() => ({ MX })),
    });
    const crowd = askingBy(new ManualClock(), 60_000, server);
    const first = crowd.mx('same.test', 'a', 'a');
    for (let i = 0; i < 200; i += 1) void crowd.mx(`d${i}.silent.test`, 'b', 'b');
    const second = [crowd.mx('same.test', 'b', 'b'), crowd.mx('same.test', null, 'c')];
    await expect.poll(() => server.questions.some(({ name }) => name === 'same.test')).toBe(true);
    go.resolve();
    expect((await Promise.all([first, ...second])).map(({ outcome }) => outcome)).toEqual(['found', 'found', 'found']);
    expect(server.questions.filter(({ name }) => name === 'same.test')).toHaveLength(1);
  });

  it('accounts that ask at once wait for no name that another one has in line, but is not asked yet', async () => {
    const clock = new ManualClock();
    const server = await serve({ zones: { '*.silent.test': 'silent', 'same.test': { MX } } });
    const crowd = askingBy(clock, 60_000, server);
    for (let i = 0; i < 200; i += 1) void crowd.mx(`d${i}.silent.test`, 'a', 'a');
    void crowd.mx('same.test', 'a', 'a');
    expect(await crowd.mx('same.test', 'b', 'b')).toMatchObject({ outcome: 'found' });
  });
});
