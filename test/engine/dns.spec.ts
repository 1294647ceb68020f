import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createMailHosts, type MailHosts, type MailHostsFact } from '../../src/mail-dns/mail-hosts.js';
import { createNodeResolver } from '../../src/mail-dns/resolver.js';
import { openDnsChannel } from '../../src/platform/dns/record-resolver.js';
import { systemClock } from '../../src/verify/ports/node-ports.js';
import { startDnsServer, type DnsReply, type DnsServer } from '../support/dns-server.js';

const PUBLIC = '8.8.8.8';
const PUBLIC_V6 = '2600::1';

const ZONES: Record<string, DnsReply> = {
  'good.test': {
    MX: [
      [20, 'mx2.good.test'],
      [10, 'mx1.good.test'],
    ],
  },
  'same.test': {
    MX: [
      [5, 'mx1.good.test'],
      [7, 'mx2.good.test'],
    ],
  },
  'equal.test': {
    MX: [
      [5, 'a.test'],
      [5, 'b.test'],
      [5, 'c.test'],
    ],
  },
  'alias.test': { CNAME: 'good.test' },
  'alias-of-host.test': { CNAME: 'only-a.test' },
  'only-a.test': { A: [PUBLIC] },
  'only-aaaa.test': { AAAA: [PUBLIC_V6] },
  'only-private.test': { A: ['10.0.0.1'] },
  'empty.test': 'nodata',
  'mx-only-failing.test': { MX: 'servfail', A: [PUBLIC] },
  'mx-only-silent.test': { MX: 'silent', A: [PUBLIC] },
  'a-failing.test': { A: 'servfail' },
  'aaaa-failing.test': { AAAA: 'refused' },
  'failing.test': 'servfail',
  'refusing.test': 'refused',
  'broken.test': 'malformed',
  'null.test': { MX: [[0, '.']], A: [PUBLIC] },
  'null-and-more.test': {
    MX: [
      [0, '.'],
      [10, 'mx1.good.test'],
    ],
  },
  'literal.test': { MX: [[10, '8.8.4.4']] },
  'many.test': { MX: Array.from({ length: 30 }, (_, i) => [30 - i, `mx${i}.many.test`] as const) },
  'dead-hosts.test': {
    MX: [
      [10, 'gone.test'],
      [20, 'empty.test'],
    ],
  },
  'both.test': { A: [PUBLIC, '8.8.4.4'], AAAA: [PUBLIC_V6] },
  'mixed.test': { A: ['127.0.0.1', PUBLIC, '192.168.0.1'], AAAA: ['::1', 'fd00::1', PUBLIC_V6] },
  'private-a.test': { A: ['10.0.0.1'], AAAA: [PUBLIC_V6] },
  'private.test': { A: ['127.0.0.1', '10.0.0.1'], AAAA: ['::1'] },
  'private-and-failing.test': { A: ['10.0.0.1'], AAAA: 'servfail' },
  'public-and-failing.test': { A: [PUBLIC], AAAA: 'servfail' },
  'a-failing-aaaa-found.test': { A: 'servfail', AAAA: [PUBLIC_V6] },
  'hundred.test': { A: Array.from({ length: 100 }, (_, i) => `8.8.8.${i}`) },
  'short.test': { A: [PUBLIC], ttlSeconds: 1 },
  'long.test': { A: [PUBLIC], ttlSeconds: 86_400 },
  localhost: { A: [PUBLIC], MX: [[1, 'mx1.good.test']] },
};

let now = 0;
const clock = { now: () => now, after: () => () => undefined };
let dns: DnsServer;
let mailHosts: MailHosts;

function startMailHosts(allowPrivate: readonly string[] = [], fraction = () => 0): MailHosts {
  const resolver = createNodeResolver({
    servers: [dns.address],
    clock: systemClock,
    patienceMs: 400,
    open: openDnsChannel,
  });
  return createMailHosts({ resolver, clock, random: { fraction }, allowPrivate });
}

/** What was asked since, as `TYPE name`. */
function questionsSince(before: number): string[] {
  return dns.questions.slice(before).map(({ type, name }) => `${type} ${name}`);
}

beforeAll(async () => {
  dns = await startDnsServer({ zones: ZONES });
});

afterAll(() => dns.close());

beforeEach(() => {
  now = 1_700_000_000_000;
  mailHosts = startMailHosts();
});

describe('the mail hosts of a domain', () => {
  it('the mail hosts of a domain are its MX hosts by preference', async () => {
    expect(await mailHosts.find('good.test')).toEqual({
      outcome: 'hosts',
      hosts: [
        { name: 'mx1.good.test', preference: 10 },
        { name: 'mx2.good.test', preference: 20 },
      ],
      implicit: false,
      key: 'mx1.good.test;mx2.good.test',
      at: now,
      fromCache: false,
    });
  });

  it('the mail hosts of a domain have the same key for domains that deliver to the same hosts in the same order, alias or not', async () => {
    const facts = await Promise.all(
      ['good.test', 'same.test', 'alias.test'].map(async (domain) => mailHosts.find(domain)),
    );
    expect(new Set(facts.map((fact) => fact.outcome === 'hosts' && fact.key))).toEqual(
      new Set(['mx1.good.test;mx2.good.test']),
    );
  });

  it('the mail hosts of a domain come in a new order each time when preferences are equal, under one key', async () => {
    const chances = [0, 0, 0.99, 0.99];
    const random = startMailHosts([], () => chances.shift()!);
    const facts = [await random.find('equal.test'), random.find('equal.test')] as MailHostsFact[];
    expect(facts.map((fact) => fact.outcome === 'hosts' && fact.hosts.map(({ name }) => name).join())).toEqual([
      'b.test,c.test,a.test',
      'a.test,b.test,c.test',
    ]);
    expect(facts).toMatchObject([{ key: 'a.test,b.test,c.test' }, { key: 'a.test,b.test,c.test' }]);
  });

  it.each(['only-a.test', 'only-aaaa.test', 'alias-of-host.test', 'only-private.test'])(
    'the mail hosts of a domain are the domain itself when it has addresses and no MX: %s',
    async (domain) => {
      expect(await mailHosts.find(domain)).toMatchObject({
        outcome: 'hosts',
        hosts: [{ name: domain, preference: 0 }],
        implicit: true,
        key: domain,
      });
    },
  );

  it.each([
    ['gone.test', { outcome: 'domain_not_found' }],
    ['empty.test', { outcome: 'no_mail_server' }],
    ['null.test', { outcome: 'null_mx' }],
    ['failing.test', { outcome: 'dns_error', detail: 'servfail' }],
    ['refusing.test', { outcome: 'dns_error', detail: 'servfail' }],
    ['broken.test', { outcome: 'dns_error', detail: 'servfail' }],
    ['a-failing.test', { outcome: 'dns_error', detail: 'servfail' }],
    ['aaaa-failing.test', { outcome: 'dns_error', detail: 'servfail' }],
  ])('the mail hosts of a domain of %s are another fact: %o', async (domain, fact) => {
    expect(await mailHosts.find(domain)).toEqual({ ...fact, at: now, fromCache: false });
  });

  it('the mail hosts of a domain are not the domain itself when its MX could not be asked', async () => {
    const before = dns.questions.length;
    expect(await mailHosts.find('mx-only-failing.test')).toMatchObject({ outcome: 'dns_error', detail: 'servfail' });
    expect(await mailHosts.find('mx-only-silent.test')).toMatchObject({ outcome: 'dns_error', detail: 'timeout' });
    expect(new Set(questionsSince(before))).toEqual(new Set(['MX mx-only-failing.test', 'MX mx-only-silent.test']));
  });

  it('the mail hosts of a domain are never the nameless host of a null MX, alone or among others', async () => {
    const before = dns.questions.length;
    expect(await mailHosts.find('null.test')).toMatchObject({ outcome: 'null_mx' });
    expect(await mailHosts.find('null-and-more.test')).toMatchObject({ key: 'mx1.good.test' });
    expect(questionsSince(before)).toEqual(['MX null.test', 'MX null-and-more.test']);
  });

  it('the mail hosts of a domain are at most ten, the best', async () => {
    const fact = await mailHosts.find('many.test');
    expect(fact.outcome === 'hosts' && fact.hosts.map(({ preference }) => preference)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
  });

  it.each([
    ['[192.0.2.1]', '192.0.2.1'],
    ['[IPv6:2001:DB8::1]', '2001:db8::1'],
    ['[ipv6:::1]', '::1'],
  ])('the mail hosts of a domain are the address of the literal %s, without a question', (domain, name) => {
    const before = dns.questions.length;
    expect(mailHosts.find(domain)).toMatchObject({ outcome: 'hosts', hosts: [{ name }], implicit: false, key: name });
    expect(questionsSince(before)).toEqual([]);
  });

  it.each(['[]', '[tag:content]', '[300.1.1.1]', '[IPv6:'])(
    'the mail hosts of a domain of the literal %s there are none',
    (domain) => {
      expect(mailHosts.find(domain)).toMatchObject({ outcome: 'no_mail_server' });
    },
  );
});

describe('the addresses of a mail host', () => {
  it('the addresses of a mail host are those of IPv4, and of IPv6 when these are asked for', async () => {
    const before = dns.questions.length;
    expect(await mailHosts.addresses('both.test')).toEqual({
      outcome: 'addresses',
      addresses: [
        { address: PUBLIC, family: 4 },
        { address: '8.8.4.4', family: 4 },
      ],
    });
    expect(questionsSince(before)).toEqual(['A both.test']);
    expect(await mailHosts.ipv6Addresses('both.test')).toEqual([{ address: PUBLIC_V6, family: 6 }]);
    expect(await mailHosts.ipv6Addresses('both.test')).toEqual([{ address: PUBLIC_V6, family: 6 }]);
    expect(questionsSince(before)).toEqual(['A both.test', 'AAAA both.test']);
  });

  it('the addresses of a mail host are those of IPv6 where there are none of IPv4, or none that may be connected to', async () => {
    const v6 = { outcome: 'addresses', addresses: [{ address: PUBLIC_V6, family: 6 }] };
    expect(await mailHosts.addresses('only-aaaa.test')).toEqual(v6);
    expect(await mailHosts.addresses('private-a.test')).toEqual(v6);
  });

  it.each(['only-a.test', 'private.test', 'public-and-failing.test', '8.8.4.4'])(
    'the addresses of a mail host of IPv6 are none: %s',
    async (host) => {
      expect(await mailHosts.ipv6Addresses(host)).toEqual([]);
    },
  );

  it('the addresses of a mail host are only the public ones', async () => {
    expect(await mailHosts.addresses('mixed.test')).toEqual({
      outcome: 'addresses',
      addresses: [{ address: PUBLIC, family: 4 }],
    });
    expect(await mailHosts.ipv6Addresses('mixed.test')).toEqual([{ address: PUBLIC_V6, family: 6 }]);
  });

  it.each([
    ['gone.test', { outcome: 'none' }],
    ['empty.test', { outcome: 'none' }],
    ['private.test', { outcome: 'unroutable' }],
    ['failing.test', { outcome: 'dns_error', detail: 'servfail' }],
    ['private-and-failing.test', { outcome: 'dns_error', detail: 'servfail' }],
    ['with space.test', { outcome: 'none' }],
    ['', { outcome: 'none' }],
  ])('the addresses of a mail host of %s: %o', async (host, fact) => {
    expect(await mailHosts.addresses(host)).toEqual(fact);
  });

  it('the addresses of a mail host say timeout when the server is silent', async () => {
    dns.set('silent.test', 'silent');
    expect(await mailHosts.addresses('silent.test')).toEqual({ outcome: 'dns_error', detail: 'timeout' });
  });

  it('the addresses of a mail host of one family are enough when the other cannot be asked', async () => {
    const v6 = { outcome: 'addresses', addresses: [{ address: PUBLIC_V6, family: 6 }] };
    expect(await mailHosts.addresses('a-failing-aaaa-found.test')).toEqual(v6);
    expect(await mailHosts.addresses('public-and-failing.test')).toMatchObject({ outcome: 'addresses' });
  });

  it('the addresses of a mail host are none for every host of a domain whose MX hosts do not resolve', async () => {
    const fact = await mailHosts.find('dead-hosts.test');
    const hosts = fact.outcome === 'hosts' ? fact.hosts : [];
    expect(hosts.map(({ name }) => name)).toEqual(['gone.test', 'empty.test']);
    for (const { name } of hosts) expect(await mailHosts.addresses(name)).toEqual({ outcome: 'none' });
  });

  it('the addresses of a mail host of an address are itself, when it is public', async () => {
    expect(await mailHosts.find('literal.test')).toMatchObject({ hosts: [{ name: '8.8.4.4' }] });
    expect(mailHosts.addresses('8.8.4.4')).toEqual({
      outcome: 'addresses',
      addresses: [{ address: '8.8.4.4', family: 4 }],
    });
    expect(mailHosts.addresses('::ffff:8.8.4.4')).toEqual({ outcome: 'unroutable' });
    expect(mailHosts.addresses('0.0.0.0')).toEqual({ outcome: 'unroutable' });
  });

  it.each(['localhost', 'mx.localhost'])(
    'the addresses of a mail host of %s cannot be reached, whatever a name server or the operator says',
    (host) => {
      const before = dns.questions.length;
      expect(mailHosts.addresses(host)).toEqual({ outcome: 'unroutable' });
      expect(startMailHosts(['127.0.0.0/8', '::1/128']).addresses(host)).toEqual({ outcome: 'unroutable' });
      expect(questionsSince(before)).toEqual([]);
    },
  );

  it('the addresses of a mail host may be in the private networks that are allowed, and in no other', async () => {
    const allowing = startMailHosts(['10.0.0.0/8']);
    const expected = { outcome: 'addresses', addresses: [{ address: '10.0.0.1', family: 4 }] };
    expect(await allowing.addresses('private.test')).toEqual(expected);
    expect(() => startMailHosts(['10.0.0.0/99'])).toThrow('"10.0.0.0/99" is not a network');
  });

  it('the addresses of a mail host are at most eight of a family', async () => {
    const fact = await mailHosts.addresses('hundred.test');
    expect(fact.outcome === 'addresses' && fact.addresses).toHaveLength(8);
  });
});

describe('a known fact', () => {
  it('a known fact is returned at once, with the time when it was learned, and without a query', async () => {
    const first = await mailHosts.find('good.test');
    const before = dns.questions.length;
    now += 60_000;
    expect(mailHosts.find('good.test')).toEqual({ ...first, fromCache: true });
    expect(questionsSince(before)).toEqual([]);
  });

  it('a known fact is looked up once for all callers at the same time', async () => {
    const before = dns.questions.length;
    await Promise.all(Array.from({ length: 30 }, async () => mailHosts.find('only-a.test')));
    await Promise.all(Array.from({ length: 30 }, async () => mailHosts.addresses('only-a.test')));
    expect(questionsSince(before).sort()).toEqual(['A only-a.test', 'MX only-a.test']);
  });

  it.each([
    ['MX records, ten minutes', 'good.test', 600],
    ['a domain without records, five minutes', 'empty.test', 300],
    ['a domain that does not exist, five minutes', 'gone.test', 300],
    ['a domain that is its own host, five minutes', 'only-a.test', 300],
    ['a failure, thirty seconds', 'failing.test', 30],
    ['a failure behind a missing MX, thirty seconds', 'a-failing.test', 30],
  ])('a known fact is believed for its time: %s', async (_, domain, seconds) => {
    await mailHosts.find(domain);
    now += seconds * 1000 - 1;
    expect(mailHosts.find(domain)).not.toBeInstanceOf(Promise);
    now += 1;
    const before = dns.questions.length;
    expect(await mailHosts.find(domain)).toMatchObject({ at: now, fromCache: false });
    expect(questionsSince(before)).toContain(`MX ${domain}`);
  });

  it.each([
    ['at least a minute', 'short.test', 60],
    ['as long as the records say', 'only-a.test', 300],
    ['at most an hour', 'long.test', 3600],
    ['thirty seconds while one family is failing', 'a-failing-aaaa-found.test', 30],
    ['thirty seconds after a failure', 'failing.test', 30],
    ['five minutes where there are none', 'empty.test', 300],
  ])('a known fact of addresses is believed %s', async (_, host, seconds) => {
    await mailHosts.addresses(host);
    now += seconds * 1000 - 1;
    expect(mailHosts.addresses(host)).not.toBeInstanceOf(Promise);
    now += 1;
    expect(mailHosts.addresses(host)).toBeInstanceOf(Promise);
  });

  it('a known fact forgets a failure for what the name server says next', async () => {
    dns.set('healing.test', 'servfail');
    expect(await mailHosts.find('healing.test')).toMatchObject({ outcome: 'dns_error' });
    dns.set('healing.test', { MX: [[10, 'mx1.good.test']] });
    now += 30_000;
    expect(await mailHosts.find('healing.test')).toMatchObject({ outcome: 'hosts', key: 'mx1.good.test' });
  });
});
