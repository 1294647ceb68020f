import { describe, expect, it } from 'vitest';
import type { DnsAnswer, DomainDns } from '../../mail-dns/domain-dns.js';
import { examineSpf } from './spf-check.js';

/** A DNS of these names; `silent.example` never answers. */
function dnsOf(zones: Readonly<Record<string, { readonly txt?: readonly string[] }>>): DomainDns {
  const nothing = async () => ({ outcome: 'nodata' }) as const;
  const txt = async (name: string): Promise<DnsAnswer<string>> => {
    if (name === 'silent.example') return { outcome: 'timeout' };
    const records = zones[name]?.txt;
    return records === undefined ? { outcome: 'nodata' } : { outcome: 'found', records, ttlSeconds: 0 };
  };
  return { txt, a: nothing, aaaa: nothing, mx: nothing, ptr: nothing };
}

const OURS = '192.0.2.1';

describe('the examination of SPF', () => {
  const examine = (texts: readonly string[] | undefined, ours: readonly string[] = [OURS]) =>
    examineSpf('example.com', ours, dnsOf({ 'example.com': texts === undefined ? {} : { txt: texts } }));

  it('the examination of SPF passes a record that lets us send and says what of the others', async () => {
    expect(await examine(['something else', 'v=spf1 ip4:192.0.2.1 ~all'])).toMatchObject({
      state: 'pass',
      advice: null,
    });
    expect(await examine(['v=spf1 ip4:198.51.100.1 -all'], [])).toMatchObject({ state: 'pass' });
  });

  it.each([
    ['nothing', undefined, 'has no SPF record', 'v=spf1 ip4:192.0.2.1 '],
    ['two records', ['v=spf1 -all', 'v=spf1 a -all'], '2 SPF records', 'v=spf1 a -all'],
    ['a wrong term', ['v=spf1 ip:192.0.2.1 -all'], '"ip:192.0.2.1" is no term', '--check spf'],
    ['a record that leaves us out', ['v=spf1 mx -all'], 'does not let 192.0.2.1 send (fail)', 'adds ip4:192.0.2.1'],
    ['a record without an end', ['v=spf1 ip4:192.0.2.1'], 'nothing about all other senders', 'ip4:192.0.2.1 ~all'],
    ['a record with ?all', ['v=spf1 ip4:192.0.2.1 ?all'], 'nothing about all other senders', 'ip4:192.0.2.1 ~all'],
    ['a record for everybody', ['v=spf1 +all'], 'lets everybody send', 'v=spf1 ~all'],
    ['ptr', ['v=spf1 ip4:192.0.2.1 ptr -all'], 'uses ptr', '5.5'],
  ])('the examination of SPF fails %s and says what to do', async (_, texts, words, advice) => {
    const finding = await examine(texts);
    expect(finding).toMatchObject({ name: 'spf', state: 'fail' });
    expect(finding.text).toContain(words);
    expect(finding.advice).toContain(advice);
  });

  it('the examination of SPF judges nothing when the DNS does not answer', async () => {
    expect(await examineSpf('silent.example', [], dnsOf({}))).toMatchObject({ state: 'skipped' });
    expect(await examine(['v=spf1 include:silent.example ip4:192.0.2.1 -all'])).toMatchObject({ state: 'skipped' });
  });

  it('the examination of SPF fails a record that receivers give up on while they read it for our address', async () => {
    const macros = ['a', 'b', 'c'].map((name) => `exists:%{i}.${name}.example.com`).join(' ');
    expect(await examine([`v=spf1 ${macros} ip4:192.0.2.1 -all`])).toMatchObject({ state: 'fail' });
  });

  it('the examination of SPF passes a record that is sound, near its limit of look-ups as it may be', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `i${n}.example`);
    const zones = Object.fromEntries(names.map((name) => [name, { txt: ['v=spf1 ip4:198.51.100.1 -all'] }]));
    const includes = names.map((name) => `include:${name}`).join(' ');
    const dns = dnsOf({ ...zones, 'example.com': { txt: [`v=spf1 ip4:192.0.2.1 ${includes} -all`] } });
    expect(await examineSpf('example.com', [OURS], dns)).toMatchObject({ state: 'pass' });
  });
});
