import { describe, expect, it } from 'vitest';
import type { DoctorDns, Looked } from './dns-checks.js';
import { examineSpf } from './spf-check.js';

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

describe('the examination of SPF', () => {
  const examine = (texts: readonly string[] | undefined, ours: readonly string[] = [OURS]) =>
    examineSpf('example.com', ours, dnsOf({ 'example.com': texts === undefined ? {} : { texts } }));

  it('the examination of SPF passes a record that lets us send and says what of the others', async () => {
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
  ])('the examination of SPF fails %s and says what to do', async (_, texts, words, advice) => {
    const finding = await examine(texts);
    expect(finding).toMatchObject({ name: 'spf', state: 'fail' });
    expect(finding.text).toContain(words);
    expect(finding.advice).toContain(advice);
  });

  it('the examination of SPF judges nothing when the DNS does not answer', async () => {
    expect(await examineSpf('silent.example', [], dnsOf({}))).toMatchObject({ state: 'skipped' });
  });
});
