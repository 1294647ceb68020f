import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { createNodeResolver } from '../../src/engine/dns/resolver.js';
import type { Resolver } from '../../src/engine/ports.js';
import { startDnsServer, type DnsReply, type DnsServer, type DnsServerOptions } from '../support/dns-server.js';
import { held } from '../support/held.js';

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

function asking(timeoutMs: number, ...asked: DnsServer[]): Resolver {
  return createNodeResolver({ servers: asked.map(({ address }) => address), timeoutMs, tries: 1 });
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
  it('tells MX records in lower case without a trailing dot, and a life for them', async () => {
    expect(await resolver.mx('two.test')).toEqual({
      outcome: 'found',
      records: [
        { exchange: 'mx2.two.test', preference: 20 },
        { exchange: 'mx1.two.test', preference: 10 },
      ],
      ttlSeconds: 600,
    });
  });

  it('tells a null MX as an empty exchange, and an IP address as it stands', async () => {
    expect(await resolver.mx('null.test')).toMatchObject({ records: [{ exchange: '', preference: 0 }] });
    expect(await resolver.mx('literal.test')).toMatchObject({ records: [{ exchange: '192.0.2.1' }] });
  });

  it('tells the addresses of both families with their time to live', async () => {
    expect(await resolver.a('host.test')).toEqual({
      outcome: 'found',
      records: ['192.0.2.1', '192.0.2.2'],
      ttlSeconds: 77,
    });
    expect(await resolver.aaaa('host.test')).toEqual({ outcome: 'found', records: ['2001:db8::1'], ttlSeconds: 77 });
    expect(await resolver.a('no-ttl.test')).toMatchObject({ ttlSeconds: 0 });
  });

  it('follows an alias to the records, to NXDOMAIN, and to a name that has no such records', async () => {
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
  ])('says of the MX of %s: %s', async (name, outcome) => {
    expect(await resolver.mx(name)).toEqual({ outcome });
  });

  it.each([
    ['gone.test', 'nxdomain'],
    ['two.test', 'nodata'],
    ['failing.test', 'servfail'],
    ['refusing.test', 'servfail'],
    ['broken.test', 'servfail'],
  ])('says of the addresses of %s: %s', async (name, outcome) => {
    expect(await resolver.a(name)).toEqual({ outcome });
    expect(await resolver.aaaa(name)).toEqual({ outcome });
  });

  it('says timeout when the server is silent', async () => {
    expect(await asking(50, dns).mx('silent.test')).toEqual({ outcome: 'timeout' });
  });

  it('says servfail when nobody listens', async () => {
    const gone = await startDnsServer();
    await gone.close();
    expect(await asking(5000, gone).mx('two.test')).toEqual({ outcome: 'servfail' });
  });

  it.each(['a..test', `${'x'.repeat(64)}.test`, 'with space.test', '\\', '\0', ''])(
    'does not reject for the name %j',
    async (name) => {
      expect((await resolver.mx(name)).outcome).toMatch(/^(servfail|nxdomain)$/);
    },
  );

  it('repeats a truncated answer over TCP', async () => {
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

  it('gets answers that no UDP packet holds', async () => {
    const answer = await resolver.mx('many.test');
    expect(answer.outcome === 'found' && answer.records).toHaveLength(200);
    expect(dns.questions.at(-1)).toEqual({ name: 'many.test', type: 'MX', transport: 'tcp' });
  });

  it('is answered by wildcards and by names that are set later', async () => {
    expect(await resolver.mx('any.name.wild.test')).toMatchObject({ records: [{ exchange: 'mx.wild.test' }] });
    expect(await resolver.mx('wild.test')).toEqual({ outcome: 'nxdomain' });
    dns.set('later.test', { MX: [[1, 'mx.later.test']] });
    expect(await resolver.mx('later.test')).toMatchObject({ records: [{ exchange: 'mx.later.test' }] });
  });
});

describe('the resolver with several servers', () => {
  const MX = [[10, 'mx.test']] as const;

  it.each(['servfail', 'refused', 'malformed'] as const)(
    'asks the second when the first says %s',
    async (behaviour) => {
      const first = await serve({ answer: () => behaviour });
      const second = await serve({ zones: { 'a.test': { MX } } });
      expect(await asking(5000, first, second).mx('a.test')).toMatchObject({ records: [{ exchange: 'mx.test' }] });
    },
  );

  it('asks the second when the first is silent, and when it is gone', async () => {
    const [silent, gone] = [await serve({ answer: () => 'silent' }), await startDnsServer()];
    await gone.close();
    const second = await serve({ zones: { 'a.test': { MX } } });
    expect(await asking(50, silent, second).mx('a.test')).toMatchObject({ outcome: 'found' });
    expect(await asking(5000, gone, second).mx('a.test')).toMatchObject({ outcome: 'found' });
  });

  it.each(['nxdomain', 'nodata'] as const)('believes the first that says %s', async (behaviour) => {
    const first = await serve({ answer: () => behaviour });
    const second = await serve({ zones: { 'a.test': { MX } } });
    expect(await asking(5000, first, second).mx('a.test')).toEqual({ outcome: behaviour });
    expect(second.questions).toEqual([]);
  });

  it('says servfail when all of them do', async () => {
    const both = [await serve({ answer: () => 'servfail' }), await serve({ answer: () => 'refused' })];
    expect(await asking(5000, ...both).mx('a.test')).toEqual({ outcome: 'servfail' });
  });

  it('asks a server with an IPv6 address', async () => {
    const server = await serve({ host: '::1', zones: { 'a.test': { MX } } });
    expect(await asking(5000, server).mx('a.test')).toMatchObject({ outcome: 'found' });
  });

  it('refuses a server that is no address', () => {
    expect(() => createNodeResolver({ servers: ['ns.test'], timeoutMs: 50, tries: 1 })).toThrow('ns.test');
  });
});

describe('many questions', () => {
  it('has at most 50 outstanding, and asks the others as these are answered', async () => {
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
    const limited = asking(5000, server);
    const answers = Promise.all(Array.from({ length: 200 }, (_, i) => limited.mx(`d${i}.test`)));
    await fiftyAsked.promise;
    // What was sent before this question has arrived when it is answered.
    await asking(5000, server).mx('probe.test');
    expect(outstanding).toBe(50);
    go.resolve();
    expect(new Set((await answers).map(({ outcome }) => outcome))).toEqual(new Set(['nodata']));
    expect(most).toBe(50);
    expect(server.questions).toHaveLength(201);
  });
});
