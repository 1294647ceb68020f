import { describe, expect, it } from 'vitest';
import { boundedDns, gatherFacts } from '../engine/domain/gather-facts.js';
import { stateOf } from '../engine/domain/domain-state.js';
import { judgeDomain } from '../engine/domain/judges/judge-domain.js';
import { simulatedDomain, simulatedOutside } from './simulated-domains.js';

const NOW = Date.UTC(2026, 10, 26);
const NEVER = new Promise<void>(() => {});

async function look(domain: string, run = 1) {
  const dns = boundedDns(simulatedDomain(domain, run), NEVER);
  const facts = await gatherFacts({ domain, selectors: [], senders: [] }, dns, simulatedOutside(domain, NOW, run));
  const findings = judgeDomain(facts, NOW);
  return [stateOf(facts, findings), ...findings.map(({ code }) => code)];
}

describe('a domain of test mode', () => {
  it.each([
    ['clean', 'ok'],
    ['anything', 'ok'],
    ['constructor', 'ok'],
    ['spf-broken', 'critical', 'spf_include_missing'],
    ['spf-too-many', 'critical', 'spf_too_many_lookups'],
    ['no-dmarc', 'critical', 'dmarc_missing'],
    ['sts-broken', 'critical', 'sts_policy_unreachable'],
    ['weak-dkim', 'warning', 'dkim_key_1024'],
    ['dnssec-bogus', 'critical', 'dnssec_bogus'],
    ['cert-expired', 'critical', 'cert_expired', 'cert_expired'],
    ['cert-expiring', 'warning', 'cert_expires_soon', 'cert_expires_soon'],
    ['expiring', 'critical', 'registration_expires_soon'],
    ['on-hold', 'critical', 'registration_on_hold'],
    ['bimi-broken', 'warning', 'bimi_logo_profile'],
    ['moved', 'ok'],
    ['spf-silent', 'unknown'],
    ['silent', 'unknown'],
  ])('%s is as its label says', async (label, ...expected) => {
    expect(await look(`${label}.example.com`)).toEqual(expected);
  });

  it('a domain of test mode changes from run to run where its label says so', async () => {
    const runs = async (label: string) =>
      Promise.all([1, 2, 3, 4].map(async (run) => (await look(`${label}.example.com`, run))[0]));
    expect(await runs('flapping')).toEqual(['critical', 'ok', 'critical', 'ok']);
    expect(await runs('moved-later')).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(await runs('fixed-later')).toEqual(['critical', 'critical', 'ok', 'ok']);
  });
});

describe('the DNS of one check', () => {
  it('the DNS of one check asks each question once, and gives no answer when the time is over', async () => {
    let asked = 0;
    const dns = { ...simulatedDomain('clean.example.com'), txt: () => ((asked += 1), new Promise<never>(() => {})) };
    let end = (): void => {};
    const bounded = boundedDns(dns, new Promise<void>((resolve) => (end = resolve)));
    const answers = [bounded.txt('example.com'), bounded.txt('example.com')];
    end();
    expect(await Promise.all(answers)).toEqual([{ outcome: 'timeout' }, { outcome: 'timeout' }]);
    expect(await bounded.txt('example.net')).toEqual({ outcome: 'timeout' });
    expect(asked).toBe(1);
  });

  it('the DNS of one check asks a bounded number of questions, however many names a record leads to', async () => {
    let asked = 0;
    const nothing = { outcome: 'nodata' } as const;
    const dns = { ...simulatedDomain('clean.example.com'), a: () => ((asked += 1), Promise.resolve(nothing)) };
    const bounded = boundedDns(dns, NEVER);
    for (let index = 0; index < 1_500; index += 1) await bounded.a(`h${index}.example.com`);
    expect(asked).toBe(1_000);
  });
});
