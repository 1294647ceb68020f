import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MonitorSweep } from '../../src/deliverability/monitors/monitor-sweep.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { type DnsReply, type DnsServer, KNOWN_DOMAIN, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';

const MINUTE = 60_000;
/** Minutes after which a monitor that runs once a day has run again, wherever its slot is. */
const LATER = 2_300;
/** Nobody but the DNS is asked about these. */
const CHECKS = ['mx', 'reverse', 'spf', 'dkim', 'dmarc', 'mta_sts', 'tls_rpt'];
const KNOWN: DnsReply = { MX: [[10, 'mx.domain.known.test']] };

const time = { at: Date.now(), now: () => time.at };
let dns: DnsServer;
let service: TestService;
let account: FullAccount;
let worlds = 0;

beforeAll(async () => {
  dns = await startDnsServer();
  service = await startService({ env: { dnsServers: [dns.address] }, clock: time });
});

afterAll(async () => {
  await service.close();
  await dns.close();
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'pro' });
});

/** A domain with nothing wrong, but for what changes. @param change by name, `@` for the domain itself */
function published(change: Readonly<Record<string, DnsReply>> = {}): string {
  const domain = `d${(worlds += 1)}.example`;
  const texts = (text: string): DnsReply => ({ TXT: [text] });
  const zones: Record<string, DnsReply> = {
    '@': {
      A: ['8.8.4.1'],
      MX: [
        [10, `mx1.${domain}`],
        [20, `mx2.${domain}`],
      ],
      TXT: [`v=spf1 mx include:inc.${domain} -all`],
    },
    'mx1.@': { A: [`8.8.${worlds}.1`] },
    'mx2.@': { A: [`8.8.${worlds}.2`] },
    'inc.@': texts(`v=spf1 ip4:8.8.${worlds}.3 -all`),
    '_dmarc.@': texts(`v=DMARC1; p=reject; rua=mailto:r@${domain}`),
    '_mta-sts.@': 'nodata',
    '_smtp._tls.@': texts(`v=TLSRPTv1; rua=mailto:tls@${domain}`),
    [`1.${worlds}.8.8.in-addr.arpa`]: { PTR: [`mx1.${domain}`] },
    [`2.${worlds}.8.8.in-addr.arpa`]: { PTR: [`mx2.${domain}`] },
    ...change,
  };
  for (const [name, reply] of Object.entries(zones)) dns.set(named(name, domain), reply);
  return domain;
}

/** `REVERSE` is the reverse name of the first mail host. */
function named(name: string, domain: string): string {
  return name.replace('@', domain).replace('REVERSE', `1.${worlds}.8.8.in-addr.arpa`);
}

const ask = (path: string, options: Parameters<typeof call>[2] = {}) =>
  call(service, `/api/v1${path}`, { key: account.liveKey, ...options });
const check = async (domain: string, more: object = {}) => {
  const { status, body } = await ask('/domains/check', { body: { domain, checks: CHECKS, ...more } });
  expect(status).toBe(200);
  return body;
};
const remaining = async () => (await ask('/credits')).body.remaining;
const codesOf = (findings: readonly { code: string }[]) => findings.map(({ code }) => code);

async function watched(domain: string): Promise<number> {
  const { status, body } = await ask('/monitors', {
    body: { kind: 'domain', target: domain, checks: CHECKS, interval_minutes: 1_440 },
  });
  expect(status).toBe(201);
  await runAfter(0);
  return body.id as number;
}

async function runAfter(minutes: number): Promise<void> {
  time.at += minutes * MINUTE;
  await service.app.get(MonitorSweep).runDue();
}
const stateOf = async (id: number) => (await ask(`/monitors/${id}`)).body.state;
const findingsOf = async (id: number) =>
  (await ask(`/monitors/${id}/findings`)).body.findings.filter(
    ({ severity }: { severity: string }) => severity !== 'info',
  );

describe('a domain of which the DNS leaves a question open', () => {
  it('a domain of which the DNS leaves a question open is ok for a credit where every question is answered', async () => {
    const body = await check(published());
    expect(body).toMatchObject({ state: 'ok', unanswered: [], unknown_areas: [], credits_charged: 1 });
  });

  it.each<[string, string, DnsReply]>([
    ['the DMARC record', '_dmarc.@', 'servfail'],
    ['the texts of the domain, SPF among them', '@', { A: ['8.8.4.1'], MX: [[10, 'mx.known.test']], TXT: 'servfail' }],
    ['a record that SPF includes', 'inc.@', 'servfail'],
    ['the address of a mail host', 'mx2.@', { A: 'servfail' }],
    ['a reverse name', 'REVERSE', 'servfail'],
    ['the record of MTA-STS', '_mta-sts.@', 'servfail'],
  ])(
    'a domain of which the DNS leaves a question open is unknown and free, and the question is named: %s',
    async (_, name, reply) => {
      dns.set('mx.known.test', { A: ['8.8.4.9'] });
      const before = await remaining();
      const domain = published();
      dns.set(named(name, domain), reply);
      const body = await check(domain);
      expect(body).toMatchObject({ state: 'unknown', credits_charged: 0 });
      expect(body.unknown_areas).not.toEqual([]);
      expect(body.unanswered).toContain(named(name, domain));
      expect(await remaining()).toBe(before);
    },
  );

  it('a domain of which the DNS leaves a question open is charged where only a name above the DMARC record that was read is silent, with the faults of that record', async () => {
    const domain = published({ '_dmarc.@': { TXT: ['v=DMARC1; p=none; rua=mailto:r@d.example'] } });
    dns.set('_dmarc.example', 'servfail');
    const body = await check(domain);
    dns.set('_dmarc.example', 'nxdomain');
    expect(body).toMatchObject({ state: 'warning', credits_charged: 1, unanswered: ['_dmarc.example'] });
    expect(codesOf(body.findings)).toContain('dmarc_policy_none');
  });

  it('a domain of which the DNS leaves a question open is as bad as what was found all the same, for a credit', async () => {
    const domain = published({ '_dmarc.@': 'servfail', '@': { A: ['8.8.4.1'], TXT: ['v=spf1 +all'] } });
    expect(await check(domain)).toMatchObject({ state: 'critical', credits_charged: 1 });
  });

  it('a domain of which the DNS leaves a question open is judged by the areas that were asked for alone', async () => {
    const domain = published({ '_dmarc.@': 'servfail' });
    expect(await check(domain, { checks: ['spf'] })).toMatchObject({ state: 'ok', unanswered: [], credits_charged: 1 });
    expect(await check(domain, { checks: ['dmarc'] })).toMatchObject({ state: 'unknown', credits_charged: 0 });
  });

  it('a domain of which the DNS leaves a question open is unknown in the areas whose questions wait for the answer, also beside answered ones', async () => {
    const domain = published({ '@': { A: ['8.8.4.1'], MX: 'servfail', TXT: ['v=spf1 -all'] } });
    expect(await check(domain, { checks: ['spf', 'starttls'] })).toMatchObject({
      state: 'unknown',
      unanswered: [domain],
      unknown_areas: ['starttls'],
      credits_charged: 0,
    });
  });
});

describe('a monitor of a domain of which the DNS leaves a question open', () => {
  it('a monitor of a domain of which the DNS leaves a question open is unknown, and after half an hour has a finding with what it costs the sender, which ends with the silence', async () => {
    const domain = published({ 'inc.@': 'servfail' });
    const id = await watched(domain);
    expect([await stateOf(id), await findingsOf(id)]).toEqual(['unknown', []]);
    await runAfter(29);
    expect(await findingsOf(id)).toEqual([]);
    await runAfter(2);
    expect(await findingsOf(id)).toMatchObject([
      {
        code: 'dns_unanswered',
        area: 'spf',
        subject: `inc.${domain}`,
        state: 'open',
        severity: 'warning',
        evidence: { result: 'temperror' },
      },
    ]);
    expect(await stateOf(id)).toBe('unknown');
    dns.set(`inc.${domain}`, { TXT: ['v=spf1 -all'] });
    await runAfter(LATER);
    expect(await findingsOf(id)).toMatchObject([{ code: 'dns_unanswered', state: 'resolved' }]);
    expect(await stateOf(id)).toBe('ok');
  });

  it('a monitor of a domain of which the DNS leaves a question open has no such finding while the resolver answers nobody, nor for one that answered in between', async () => {
    const domain = published({ 'inc.@': 'servfail' });
    const id = await watched(domain);
    dns.set(KNOWN_DOMAIN, 'servfail');
    await runAfter(31);
    await runAfter(LATER);
    expect(await findingsOf(id)).toEqual([]);
    dns.set(KNOWN_DOMAIN, KNOWN);
    dns.set(`inc.${domain}`, { TXT: ['v=spf1 -all'] });
    await runAfter(LATER);
    dns.set(`inc.${domain}`, 'servfail');
    await runAfter(LATER);
    expect([await stateOf(id), await findingsOf(id)]).toEqual(['unknown', []]);
  });

  it('a monitor of a domain of which the DNS leaves a question open says that reports are at stake, and not the policy, where the destination of DMARC reports is silent', async () => {
    const elsewhere = 'reports.known.test';
    dns.set(elsewhere, KNOWN);
    const domain = published({ '_dmarc.@': { TXT: [`v=DMARC1; p=reject; rua=mailto:r@${elsewhere}`] } });
    dns.set(`${domain}._report._dmarc.${elsewhere}`, 'servfail');
    const id = await watched(domain);
    expect([await stateOf(id), await findingsOf(id)]).toEqual(['unknown', []]);
    await runAfter(31);
    const [found, ...others] = await findingsOf(id);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      code: 'dns_unanswered',
      area: 'dmarc',
      subject: `${domain}._report._dmarc.${elsewhere}`,
      explanation: expect.stringContaining('DMARC reports'),
      evidence: { result: null },
    });
  });

  it('a monitor of a domain of which the DNS leaves a question open resolves that there is no DMARC record when there is one, though the destination of its reports is silent', async () => {
    const elsewhere = 'quiet.known.test';
    dns.set(elsewhere, KNOWN);
    const domain = published({ '_dmarc.@': 'nodata' });
    const id = await watched(domain);
    expect(await stateOf(id)).toBe('critical');
    dns.set(`_dmarc.${domain}`, { TXT: [`v=DMARC1; p=reject; rua=mailto:r@${elsewhere}`] });
    dns.set(`${domain}._report._dmarc.${elsewhere}`, 'servfail');
    await runAfter(LATER);
    await runAfter(6);
    expect(await findingsOf(id)).toContainEqual(expect.objectContaining({ code: 'dmarc_missing', state: 'resolved' }));
    expect(await stateOf(id)).toBe('unknown');
  });

  it('a monitor of a domain of which the DNS leaves a question open has one finding for a name that is silent in two areas, which says what it costs in both', async () => {
    const domain = published({ '_dmarc.@': { TXT: ['v=DMARC1; p=reject; rua=mailto:r@inc.known.test'] } });
    dns.set('inc.known.test', 'servfail');
    dns.set(`${domain}._report._dmarc.inc.known.test`, { TXT: ['v=DMARC1'] });
    dns.set(domain, {
      A: ['8.8.4.1'],
      MX: [
        [10, `mx1.${domain}`],
        [20, `mx2.${domain}`],
      ],
      TXT: ['v=spf1 mx include:inc.known.test -all'],
    });
    const id = await watched(domain);
    await runAfter(31);
    expect(await findingsOf(id)).toMatchObject([
      {
        code: 'dns_unanswered',
        subject: 'inc.known.test',
        area: 'spf',
        explanation: expect.stringMatching(/SPF ends with temperror.*DMARC reports/),
        evidence: { areas: ['spf', 'dmarc'], result: 'temperror' },
      },
    ]);
  });

  it('a monitor of a domain of which the DNS leaves a question open charges nothing for a run that somebody asks for', async () => {
    const id = await watched(published({ '_dmarc.@': 'servfail' }));
    const before = await remaining();
    time.at += 5 * MINUTE;
    const { status, body } = await ask(`/monitors/${id}/run`, { method: 'POST' });
    expect([status, body.state, body.credits_charged]).toEqual([200, 'unknown', 0]);
    expect(body.facts.unanswered).toHaveLength(1);
    expect(await remaining()).toBe(before);
  });
});

describe('a monitor of a domain whose DMARC record vanishes', () => {
  it('a monitor of a domain whose DMARC record vanishes proposes the record that it has seen, however long ago', async () => {
    const domain = published();
    const id = await watched(domain);
    dns.set(`_dmarc.${domain}`, 'nodata');
    for (const minutes of [LATER, 6, LATER]) await runAfter(minutes);
    expect(await findingsOf(id)).toMatchObject([
      {
        code: 'dmarc_missing',
        state: 'open',
        fix: {
          name: `_dmarc.${domain}.`,
          value: `v=DMARC1; p=reject; rua=mailto:r@${domain}`,
          confidence: 'needs_you',
        },
      },
    ]);
  });
});

describe('a domain that does not exist', () => {
  it('a domain that does not exist is told so, with no records to publish and no charge', async () => {
    const before = await remaining();
    const body = await check('no-such-domain.example');
    expect(body).toMatchObject({ state: 'critical', credits_charged: 0, records: [] });
    expect(codesOf(body.findings)).toEqual(['domain_missing']);
    expect(body.findings[0].fix).toBeNull();
    expect(await remaining()).toBe(before);
  });
});
