import { describe, expect, it } from 'vitest';
import type { DoctorDns, Looked } from './doctor-dns.js';
import { examineSpf } from './spf-check.js';
import { parseSpf, spfRecordsOf } from './spf-record.js';
import { walkSpf } from './spf-walk.js';

interface Zone {
  readonly texts?: readonly string[];
  readonly addresses?: readonly string[];
  readonly mailHosts?: readonly string[];
}

/** A DNS of these names; `silent.example` never answers. */
function dnsOf(zones: Readonly<Record<string, Zone>>): DoctorDns {
  const look = (name: string, kind: keyof Zone): Promise<Looked<string>> => {
    if (name === 'silent.example') return Promise.resolve({ outcome: 'unanswered', why: 'ETIMEOUT' });
    const records = zones[name]?.[kind];
    return Promise.resolve(records === undefined ? { outcome: 'none' } : { outcome: 'found', records });
  };
  return {
    texts: (name) => look(name, 'texts'),
    addresses: (name) => look(name, 'addresses'),
    mailHosts: (name) => look(name, 'mailHosts'),
    names: () => Promise.resolve({ outcome: 'none' }),
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
    expect(parseSpf(record)).toEqual({ ok: false, problem: `"${term}" is no term of SPF` });
  });

  it('is recognised among other texts by its version alone', () => {
    expect(spfRecordsOf(['v=spf10 -all', 'google-site-verification=x', 'v=spf1 -all', 'v=spf1'])).toEqual([
      'v=spf1 -all',
      'v=spf1',
    ]);
  });
});

describe('what a receiver makes of the record', () => {
  const resultOf = async (zones: Readonly<Record<string, Zone>>) =>
    (await walkSpf('example.com', [OURS], dnsOf(zones))).results.get(OURS);

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
    ['unsaid', 'v=spf1 exists:%{i}.example.com -all', {}],
    ['pass', 'v=spf1 exists:%{i}.example.com ip4:192.0.2.1 -all', {}],
    ['unsaid', 'v=spf1 -exists:%{i}.example.com ip4:192.0.2.1 -all', {}],
    ['unsaid', 'v=spf1 a:silent.example -all', {}],
  ])('is %s for %s', async (result, record, zones) => {
    expect(await resultOf({ 'example.com': { texts: [record] }, ...zones })).toBe(result);
  });

  it('counts the questions of everything included, and stops after ten, so that a circle ends', async () => {
    const chain = dnsOf({
      'example.com': { texts: ['v=spf1 a mx include:i.example exists:e.example -all'] },
      'i.example': { texts: ['v=spf1 a:a.example redirect=r.example'] },
      'r.example': { texts: ['v=spf1 ip4:192.0.2.1 -all'] },
    });
    expect(await walkSpf('example.com', [], chain)).toMatchObject({ broken: null, lookups: 6, all: '-' });
    const circle = dnsOf({ 'example.com': { texts: ['v=spf1 include:example.com -all'] } });
    expect((await walkSpf('example.com', [], circle)).broken).toContain('more than 10 times');
  });

  it.each<[string, Record<string, Zone>]>([
    ['i.example has no SPF record', {}],
    ['i.example has 2 SPF records', { 'i.example': { texts: ['v=spf1 -all', 'v=spf1 ~all'] } }],
    ['i.example: "ip:1" is no term', { 'i.example': { texts: ['v=spf1 ip:1 -all'] } }],
  ])('is an error when %s', async (words, zones) => {
    const walk = await walkSpf(
      'example.com',
      [],
      dnsOf({ 'example.com': { texts: ['v=spf1 include:i.example -all'] }, ...zones }),
    );
    expect(walk.broken).toContain(words);
  });
});

describe('the examination of SPF', () => {
  const examine = (texts: readonly string[] | undefined, ours: readonly string[] = [OURS]) =>
    examineSpf('example.com', ours, dnsOf({ 'example.com': texts === undefined ? {} : { texts } }));

  it('passes a record that lets us send and says what of the others', async () => {
    expect(await examine(['something else', 'v=spf1 ip4:192.0.2.1 ~all'])).toMatchObject({
      state: 'pass',
      advice: null,
    });
    expect(await examine(['v=spf1 ip4:198.51.100.1 -all'], [])).toMatchObject({ state: 'pass' });
  });

  it.each([
    ['nothing', undefined, 'has no SPF record', 'v=spf1 ip4:192.0.2.1 -all'],
    ['two records', ['v=spf1 -all', 'v=spf1 a -all'], '2 SPF records', 'Correct'],
    ['a wrong term', ['v=spf1 ip:192.0.2.1 -all'], '"ip:192.0.2.1" is no term', 'Correct'],
    ['a record that leaves us out', ['v=spf1 mx -all'], 'does not let 192.0.2.1 send (fail)', 'Add ip4:192.0.2.1'],
    ['a record without an end', ['v=spf1 ip4:192.0.2.1'], 'nothing about everybody else', '-all or ~all'],
    ['a record with ?all', ['v=spf1 ip4:192.0.2.1 ?all'], 'nothing about everybody else', '-all or ~all'],
    ['a record for everybody', ['v=spf1 +all'], 'lets everybody send', '-all or ~all'],
    ['ptr', ['v=spf1 ip4:192.0.2.1 ptr -all'], 'uses ptr', '5.5'],
  ])('fails %s and says what to do', async (_, texts, words, advice) => {
    const finding = await examine(texts);
    expect(finding).toMatchObject({ name: 'spf', state: 'fail' });
    expect(finding.text).toContain(words);
    expect(finding.advice).toContain(advice);
  });

  it('judges nothing when the DNS does not answer', async () => {
    expect(await examineSpf('silent.example', [], dnsOf({}))).toMatchObject({ state: 'skipped' });
  });
});
