import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MonitorSweep } from '../../src/monitors/worker/monitor-sweep.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { type DnsServer, KNOWN_DOMAIN, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';

const time = { at: Date.now(), now: () => time.at };
/** Knows nothing, as where the way to the internet is closed. */
let liar: DnsServer;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  liar = await startDnsServer({ zones: { [KNOWN_DOMAIN]: 'nxdomain' } });
  service = await startService({ env: { dnsServers: [liar.address] }, clock: time });
});

afterAll(async () => {
  await service.close();
  await liar.close();
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'pro' });
});

const ask = (path: string, options: Parameters<typeof call>[2] = {}, of = service) =>
  call(of, `/api/v1${path}`, { key: account.liveKey, ...options });
const remaining = async () => (await ask('/credits')).body.remaining;

describe('what a lying resolver denies', () => {
  it('is no finding of a check, and costs nothing', async () => {
    const before = await remaining();
    const { status, body } = await ask('/domains/check', { body: { domain: 'example.com' } });
    expect([status, body.state, body.credits_charged]).toEqual([200, 'unknown', 0]);
    const grave = body.findings.filter(({ severity }: { severity: string }) => severity !== 'info');
    expect(grave).toEqual([]);
    expect(body.unanswered).toContain('example.com');
    expect(await remaining()).toBe(before);
  });

  it('opens no finding of a monitor, and costs nothing', async () => {
    const before = await remaining();
    const { status, body } = await ask('/monitors', { body: { kind: 'domain', target: 'example.com' } });
    expect(status).toBe(201);
    for (let run = 0; run < 3; run++) {
      time.at += 86_400_000;
      await service.app.get(MonitorSweep).runDue();
    }
    const { runs } = (await ask(`/monitors/${body.id}/runs`)).body;
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) expect(run).toMatchObject({ state: 'unknown', credits_charged: 0 });
    expect((await ask(`/monitors/${body.id}/findings`)).body.findings).toEqual([]);
    expect(await remaining()).toBe(before);
  });

  it('is neither a missing reverse name nor a missing SPF record of a report', async () => {
    const query = 'client_address=198.51.100.25&helo=mx.example.com&mail_from=news@example.com';
    const response = await fetch(`${service.url}/api/v1/placement/analyze?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.liveKey}`, 'content-type': 'message/rfc822' },
      body: 'From: news@example.com\r\nSubject: news\r\n\r\nNews.\r\n',
    });
    const body = (await response.json()) as {
      transport: object;
      authentication: object;
      findings: { code: string }[];
    };
    expect(body.transport).toMatchObject({ reverse_answered: false });
    expect(body.authentication).toMatchObject({ spf: { result: 'temperror' } });
    const codes = body.findings.map(({ code }) => code);
    for (const absence of ['reverse_name_missing', 'spf_missing', 'dmarc_missing'])
      expect(codes).not.toContain(absence);
  });
});

describe('the proof whose a domain is', () => {
  it('is not ended by a resolver that has begun to lie since', async () => {
    const dns = await startDnsServer();
    const own = await startService({ env: { dnsServers: [dns.address] } });
    try {
      account = await createFullAccount({ url: own.env.databaseUrl }, { plan: 'pro' });
      const monitor = await ask('/monitors', { body: { kind: 'domain', target: 'example.com' } }, own);
      const verify = async () =>
        (await ask(`/monitors/${monitor.body.id}/verify-ownership`, { method: 'POST' }, own)).body;
      const { record } = await verify();
      const name = record.name.slice(0, -1);
      dns.set(name, { TXT: [record.value] });
      expect(await verify()).toMatchObject({ verified: true, look: 'found' });
      dns.set(name, 'nxdomain');
      dns.set(KNOWN_DOMAIN, 'nxdomain');
      expect(await verify()).toMatchObject({ verified: true, look: 'no_answer' });
      // An honest resolver ends it.
      dns.set(KNOWN_DOMAIN, { MX: [[10, 'mx.domain.known.test']] });
      dns.set(name, { TXT: ['something else'] });
      expect(await verify()).toMatchObject({ verified: false, look: 'missing' });
    } finally {
      await own.close();
      await dns.close();
    }
  });
});
