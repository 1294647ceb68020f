import { describe, expect, it } from 'vitest';
import type { DnsAnswer, DomainDns } from './domain-dns.js';
import { checkHost } from './check-host.js';
import { parseSpf, spfRecordsOf } from './spf-record.js';
import { brokenNode, readSpfTree } from './spf-tree.js';

interface Zone {
  readonly texts?: readonly string[];
  readonly addresses?: readonly string[];
  readonly mailHosts?: readonly string[];
}

/** A DNS of these names; `silent.example` never answers. */
function dnsOf(zones: Readonly<Record<string, Zone>>): DomainDns {
  const look = (
    name: string,
    kind: keyof Zone,
    isWanted: (record: string) => boolean = Boolean,
  ): Promise<DnsAnswer<string>> => {
    if (name === 'silent.example') return Promise.resolve({ outcome: 'timeout' });
    const records = zones[name]?.[kind]?.filter(isWanted) ?? [];
    if (records.length === 0) return Promise.resolve({ outcome: zones[name] === undefined ? 'nxdomain' : 'nodata' });
    return Promise.resolve({ outcome: 'found', records, ttlSeconds: 60 });
  };
  return {
    txt: (name) => look(name, 'texts'),
    a: (name) => look(name, 'addresses', (address) => !address.includes(':')),
    aaaa: (name) => look(name, 'addresses', (address) => address.includes(':')),
    mx: async (name) => {
      const answer = await look(name, 'mailHosts');
      if (answer.outcome !== 'found') return answer;
      return { ...answer, records: answer.records.map((exchange, preference) => ({ exchange, preference })) };
    },
    ptr: () => Promise.resolve({ outcome: 'nxdomain' }),
  };
}

const OURS = '192.0.2.1';

describe('an SPF record', () => {
  it.each([
    'v=spf1',
    'v=spf1 -all',
    'V=SPF1 +a -ALL',
    'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 ~all',
    'v=spf1 a/24 mx//64 a:mail.example.com/24//64 mx:example.com -all',
    'v=spf1 include:_spf.example.com exists:%{ir}.%{v}._spf.%{d2} ?all',
    'v=spf1 redirect=_spf.example.com exp=explain._spf.%{d}',
    'v=spf1 ptr ptr:example.com unknown-modifier=anything/at:all -all',
  ])('%s is understood', (record) => {
    expect(spfRecordsOf([record])).toEqual([record]);
    expect(parseSpf(record)).toMatchObject({ ok: true });
  });

  it.each([
    ['v=spf1 ipv4:192.0.2.1 -all', 'ipv4:192.0.2.1'],
    ['v=spf1 ip4:192.0.2.300 -all', 'ip4:192.0.2.300'],
    ['v=spf1 ip4:192.0.2.1/33 -all', 'ip4:192.0.2.1/33'],
    ['v=spf1 ip4:2001:db8::1 -all', 'ip4:2001:db8::1'],
    ['v=spf1 ip6:192.0.2.1 -all', 'ip6:192.0.2.1'],
    ['v=spf1 ip4 -all', 'ip4'],
    ['v=spf1 include -all', 'include'],
    ['v=spf1 include: -all', 'include:'],
    ['v=spf1 all:example.com', 'all:example.com'],
    ['v=spf1 include:example.com/24 -all', 'include:example.com/24'],
    ['v=spf1 a:%{z}.example.com -all', 'a:%{z}.example.com'],
    ['v=spf1 a:localhost -all', 'a:localhost'],
    ['v=spf1 - all', '-'],
    ['v=spf1 192.0.2.1 -all', '192.0.2.1'],
    ['v=spf1 constructor -all', 'constructor'],
    ['v=spf1 redirect= -all', 'redirect='],
  ])('%s is refused at its wrong term', (record, term) => {
    expect(parseSpf(record)).toEqual({ ok: false, term, problem: `"${term}" is no term of SPF` });
  });

  it('an SPF record is recognised among other texts by its version alone', () => {
    expect(spfRecordsOf(['v=spf10 -all', 'google-site-verification=x', 'v=spf1 -all', 'v=spf1'])).toEqual([
      'v=spf1 -all',
      'v=spf1',
    ]);
  });
});

describe('what a receiver makes of the record', () => {
  const resultOf = async (zones: Readonly<Record<string, Zone>>) =>
    (await checkHost({ address: OURS, domain: 'example.com' }, dnsOf(zones))).result;

  it.each<[string, string, Record<string, Zone>]>([
    ['pass', 'v=spf1 ip4:192.0.2.0/24 -all', {}],
    ['fail', 'v=spf1 ip4:198.51.100.0/24 -all', {}],
    ['softfail', 'v=spf1 ip6:2001:db8::/32 ~all', {}],
    ['neutral', 'v=spf1 ip4:198.51.100.1', {}],
    ['fail', 'v=spf1 -all ip4:192.0.2.1', {}],
    ['fail', 'v=spf1 -ip4:192.0.2.1 +all', {}],
    ['pass', 'v=spf1 a:a.example -all', { 'a.example': { addresses: [OURS] } }],
    ['pass', 'v=spf1 a:a.example/24 -all', { 'a.example': { addresses: ['192.0.2.77'] } }],
    [
      'pass',
      'v=spf1 mx:m.example -all',
      { 'm.example': { mailHosts: ['a.example'] }, 'a.example': { addresses: [OURS] } },
    ],
    ['fail', 'v=spf1 a:nowhere.example -all', {}],
    ['pass', 'v=spf1 include:i.example -all', { 'i.example': { texts: ['v=spf1 ip4:192.0.2.1 -all'] } }],
    ['fail', 'v=spf1 include:i.example -all', { 'i.example': { texts: ['v=spf1 ip4:198.51.100.1 ~all'] } }],
    ['pass', 'v=spf1 redirect=i.example', { 'i.example': { texts: ['v=spf1 ip4:192.0.2.1 -all'] } }],
    ['softfail', 'v=spf1 redirect=i.example', { 'i.example': { texts: ['v=spf1 ~all'] } }],
    ['fail', 'v=spf1 exists:%{i}.example.com -all', {}],
    ['pass', 'v=spf1 exists:%{i}.example.com -all', { '192.0.2.1.example.com': { addresses: ['127.0.0.2'] } }],
    ['pass', 'v=spf1 exists:%{i}.example.com ip4:192.0.2.1 -all', {}],
    ['pass', 'v=spf1 -exists:%{i}.example.com ip4:192.0.2.1 -all', {}],
    ['temperror', 'v=spf1 a:silent.example -all', {}],
    ['pass', 'v=spf1 ip4:192.0.2.1 a:silent.example -all', {}],
    ['permerror', 'v=spf1 a:n1.example a:n2.example a:n3.example -all', {}],
  ])('what a receiver makes of the record is %s for %s', async (result, record, zones) => {
    expect(await resultOf({ 'example.com': { texts: [record] }, ...zones })).toBe(result);
  });
});

describe('the tree of a record', () => {
  it('the tree of a record counts the questions of each branch, beyond the ten that a receiver asks', async () => {
    const tree = await readSpfTree(
      'example.com',
      dnsOf({
        'example.com': { texts: ['v=spf1 a mx include:i.example exists:e.example -all'], addresses: [OURS] },
        'i.example': { texts: ['v=spf1 a:a.example redirect=r.example'] },
        'r.example': { texts: ['v=spf1 ip4:192.0.2.1 -all'] },
      }),
    );
    expect(tree).toMatchObject({ lookups: 6, all: '-', usesPtr: false, voidLookups: 3 });
    expect(tree.root.children.map(({ term, lookups }) => [term, lookups])).toEqual([
      ['a', 1],
      ['mx', 1],
      ['include:i.example', 3],
      ['exists:e.example', 1],
    ]);
    const many = Array.from({ length: 13 }, (_, i) => `a:h${i}.example`).join(' ');
    expect(await readSpfTree('m.example', dnsOf({ 'm.example': { texts: [`v=spf1 ${many} -all`] } }))).toMatchObject({
      lookups: 13,
    });
  });

  it('the tree of a record ends at a circle and at fifty questions', async () => {
    const circle = await readSpfTree('a.example', dnsOf({ 'a.example': { texts: ['v=spf1 include:a.example -all'] } }));
    expect(brokenNode(circle.root)).toMatchObject({ problem: 'circle' });
    const asked: string[] = [];
    const dns = dnsOf({});
    const endless: DomainDns = {
      ...dns,
      txt: (name) => {
        asked.push(name);
        const records = [`v=spf1 include:l.${name} include:r.${name} -all`];
        return Promise.resolve({ outcome: 'found', records, ttlSeconds: 60 });
      },
    };
    await readSpfTree('a.example', endless);
    expect(asked.length).toBeLessThanOrEqual(51);
  });

  it('the tree of a record names the addresses that send one by one, and no networks', async () => {
    const zones = {
      'example.com': {
        texts: ['v=spf1 ip4:192.0.2.7 ip4:198.51.100.0/24 -ip4:192.0.2.8 a mx -all'],
        addresses: [OURS],
        mailHosts: ['m.example'],
      },
      'm.example': { addresses: ['192.0.2.9', '2001:db8::9'] },
    };
    expect((await readSpfTree('example.com', dnsOf(zones))).senders).toEqual([
      '192.0.2.7',
      OURS,
      '192.0.2.9',
      '2001:db8::9',
    ]);
  });

  it.each<[string, string, Record<string, Zone>]>([
    ['missing', 'i.example has no SPF record', {}],
    ['multiple', 'i.example has 2 SPF records', { 'i.example': { texts: ['v=spf1 -all', 'v=spf1 ~all'] } }],
    ['syntax', 'i.example: "ip:1" is no term', { 'i.example': { texts: ['v=spf1 ip:1 -all'] } }],
  ])('the tree of a record says that an included record is %s: %s', async (problem, words, zones) => {
    const tree = await readSpfTree(
      'example.com',
      dnsOf({ 'example.com': { texts: ['v=spf1 include:i.example -all'] }, ...zones }),
    );
    expect(brokenNode(tree.root)).toMatchObject({
      problem,
      term: 'include:i.example',
      detail: expect.stringContaining(words),
    });
  });
});

describe('the share of all addresses that pass a record', () => {
  const I = 'i.example';
  it.each<[string, string, { ipv4: number; ipv6: number }, Record<string, Zone>]>([
    ['all of them', 'v=spf1 +all', { ipv4: 1, ipv6: 1 }, {}],
    ['none', 'v=spf1 -all +all', { ipv4: 0, ipv6: 0 }, {}],
    ['none', 'v=spf1 ?all', { ipv4: 0, ipv6: 0 }, {}],
    ['both halves', 'v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all', { ipv4: 1, ipv6: 0 }, {}],
    ['one half, named twice', 'v=spf1 ip4:1.2.3.4/1 ip4:0.0.0.0/2 -all', { ipv4: 0.5, ipv6: 0 }, {}],
    ['what the first match leaves', 'v=spf1 -ip4:0.0.0.0/1 ip4:64.0.0.0/2 +all', { ipv4: 0.5, ipv6: 1 }, {}],
    [
      'what is around a host',
      'v=spf1 a:a.example/8 -all',
      { ipv4: 1 / 256, ipv6: 0 },
      { 'a.example': { addresses: [OURS] } },
    ],
    ['all that IPv6 has given out', 'v=spf1 ip6:2000::/3 -all', { ipv4: 0, ipv6: 1 }, {}],
    ['those of an include', `v=spf1 include:${I} -all`, { ipv4: 1, ipv6: 1 }, { [I]: { texts: ['v=spf1 +all'] } }],
    [
      'none of an include that refuses',
      `v=spf1 -include:${I} -all`,
      { ipv4: 0, ipv6: 0 },
      { [I]: { texts: ['v=spf1 +all'] } },
    ],
    [
      'what an include leaves',
      `v=spf1 -include:${I} +all`,
      { ipv4: 0.5, ipv6: 1 },
      { [I]: { texts: ['v=spf1 ip4:0.0.0.0/1'] } },
    ],
    [
      'those of a redirect',
      `v=spf1 redirect=${I}`,
      { ipv4: 0.25, ipv6: 0 },
      { [I]: { texts: ['v=spf1 ip4:0.0.0.0/2'] } },
    ],
    [
      'everybody by a name that is there',
      `v=spf1 exists:${I} -all`,
      { ipv4: 1, ipv6: 1 },
      { [I]: { addresses: [OURS] } },
    ],
    ['nobody known by a macro', 'v=spf1 exists:%{i}.example.com -all', { ipv4: 0, ipv6: 0 }, {}],
  ])('the share of all addresses that pass a record is %s for %s', async (_, record, passes, zones) => {
    const tree = await readSpfTree('example.com', dnsOf({ 'example.com': { texts: [record] }, ...zones }));
    expect(tree.passes).toEqual(passes);
  });

  it('the share of all addresses that pass a record is counted by what check_host says of single addresses, whatever the terms', async () => {
    const zones = {
      'example.com': {
        texts: [
          'v=spf1 -ip4:10.0.0.0/9 ip4:10.0.0.0/8 ~ip4:11.0.0.0/9 include:i.example ?ip4:64.0.0.0/2 redirect=r.example',
        ],
      },
      'i.example': { texts: ['v=spf1 -ip4:12.128.0.0/9 ip4:11.0.0.0/8 ip4:12.0.0.0/8 ip4:70.0.0.0/8 ?all'] },
      'r.example': { texts: ['v=spf1 ip4:64.0.0.0/2 ip4:128.0.0.0/2 -all'] },
    };
    const dns = dnsOf(zones);
    let passed = 0;
    for (let first = 0; first < 256; first += 1)
      for (const second of [0, 128])
        if ((await checkHost({ address: `${first}.${second}.0.1`, domain: 'example.com' }, dns)).result === 'pass')
          passed += 1;
    expect((await readSpfTree('example.com', dns)).passes).toEqual({ ipv4: passed / 512, ipv6: 0 });
  });

  it('the share of all addresses that pass a record names the terms by which so many pass', async () => {
    const texts = ['v=spf1 ip4:192.0.2.1 include:i.example ip4:198.51.100.0/24 -all'];
    const tree = await readSpfTree(
      'e.example',
      dnsOf({ 'e.example': { texts }, 'i.example': { texts: ['v=spf1 +all'] } }),
    );
    expect(tree.wideTerms).toEqual([{ term: 'include:i.example', ipv4: 1, ipv6: 1 }]);
  });

  it('the share of all addresses that pass a record is not narrowed by thousands of networks in front of the one that lets everybody send', async () => {
    const many = Array.from({ length: 4_000 }, (_, i) => `${i % 2 === 0 ? '' : '-'}ip4:10.${i >> 8}.${i & 255}.1`);
    const zones = {
      'e.example': { texts: ['v=spf1 include:i.example -all'] },
      'i.example': { texts: [`v=spf1 ${many.join(' ')} ip4:0.0.0.0/0 -all`] },
    };
    // All but those that were refused before.
    expect((await readSpfTree('e.example', dnsOf(zones))).passes).toEqual({ ipv4: 1 - 2_000 / 2 ** 32, ipv6: 0 });
  });

  it('the share of all addresses that pass a record is not known beyond 10,000 networks, in one record or in several', async () => {
    const many = (count: number) =>
      `v=spf1 ${Array.from({ length: count }, (_, i) => `ip4:10.${i >> 8}.${i & 255}.1`).join(' ')} -all`;
    const passesOf = async (own: number, included: number) => {
      const zones = {
        'e.example': { texts: [many(own).replace('-all', 'include:i.example ip4:0.0.0.0/0')] },
        'i.example': { texts: [many(included)] },
      };
      return (await readSpfTree('e.example', dnsOf(zones))).passes;
    };
    expect(await passesOf(4_999, 5_000)).toEqual({ ipv4: 1, ipv6: 0 });
    expect(await passesOf(5_000, 5_000)).toBeNull();
  });
});

describe('names that do not exist', () => {
  it.each([
    ['two of them are allowed', 'a:n1.example a:n2.example mx:h.example', 2],
    ['three are one too many', 'a:n1.example mx:n2.example exists:n3.example', 3],
    ['mail hosts without an address are none of them', 'mx:h.example', 0],
  ])('names that do not exist are counted as check_host counts them: %s', async (_, terms, voidLookups) => {
    const zones = { 'e.example': { texts: [`v=spf1 ${terms} -all`] }, 'h.example': { mailHosts: ['gone.example'] } };
    expect((await readSpfTree('e.example', dnsOf(zones))).voidLookups).toBe(voidLookups);
    const { result } = await checkHost({ address: OURS, domain: 'e.example' }, dnsOf(zones));
    expect(result).toBe(voidLookups > 2 ? 'permerror' : 'fail');
  });
});
