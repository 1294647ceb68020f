import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InboundServer } from '../../src/deliverability/inbound/inbound-server.js';
import { MonitorSweep } from '../../src/deliverability/monitors/monitor-sweep.js';
import { PlacementLoop } from '../../src/deliverability/placement/placement-loop.js';
import { WebhookWorker } from '../../src/webhooks/worker/webhook-worker.processor.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { type DnsServer, KNOWN_DOMAIN, NO_DNS_SERVER, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';

const time = { at: Date.now(), now: () => time.at };
/** Knows nothing, as where the way to the internet is closed. */
let liar: DnsServer;
let service: TestService;
let honest: DnsServer;
/** The service that asks the honest one. */
let sound: TestService;
let account: FullAccount;

beforeAll(async () => {
  liar = await startDnsServer({ zones: { [KNOWN_DOMAIN]: 'nxdomain' } });
  service = await startService({ env: { dnsServers: [liar.address] }, clock: time });
  honest = await startDnsServer();
  sound = await startService({ env: { dnsServers: [honest.address] } });
});

afterAll(async () => {
  await service.close();
  await sound.close();
  await liar.close();
  await honest.close();
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'pro' });
});

/** Whose fault it is that there is no answer, and what it costs. */
const OURS_AND_FREE =
  /^This service's own DNS resolver .* not a fault of what you asked about, and nothing was charged\. /;

const ask = (path: string, options: Parameters<typeof call>[2] = {}, of = service) =>
  call(of, `/api/v1${path}`, { key: account.liveKey, ...options });
async function analyze(of = service) {
  const query = 'client_address=198.51.100.25&helo=mx.example.com&mail_from=news@example.com';
  const response = await fetch(`${of.url}/api/v1/placement/analyze?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.liveKey}`, 'content-type': 'message/rfc822' },
    body: 'From: news@example.com\r\nSubject: news\r\n\r\nNews.\r\n',
  });
  expect(response.status).toBe(200);
  // oxlint-disable-next-line typescript/no-explicit-any
  return (await response.json()) as any;
}
const remaining = async () => (await ask('/credits')).body.remaining;

describe('what a lying resolver denies', () => {
  it('what a lying resolver denies is no finding of a check, and costs nothing', async () => {
    const before = await remaining();
    const { status, body } = await ask('/domains/check', { body: { domain: 'example.com' } });
    expect([status, body.state, body.credits_charged]).toEqual([200, 'unknown', 0]);
    const grave = body.findings.filter(({ severity }: { severity: string }) => severity !== 'info');
    expect(grave).toEqual([]);
    expect(body.unanswered).toContain('example.com');
    expect(body.unanswered_why).toMatch(OURS_AND_FREE);
    expect(body.unanswered_why).toContain('Try again in a minute.');
    expect((await ask(`/domains/checks/${body.id}`)).body.unanswered_why).toBe(body.unanswered_why);
    expect(await remaining()).toBe(before);
  });

  it('what a lying resolver denies has the sentence about it in the export of the account too, word for word', async () => {
    const { body } = await ask('/domains/check', { body: { domain: 'example.com' } });
    expect(body.unanswered_why).toMatch(OURS_AND_FREE);
    const lines: { type: string; id: string }[] = (await ask('/export')).body;
    const checks = lines.filter(({ type }) => type === 'domain_check');
    expect(checks).toMatchObject([{ id: body.id, unanswered_why: body.unanswered_why }]);
    expect(checks[0]).not.toHaveProperty('is_untrusted');
  });

  it('what the name servers of a domain leave unanswered is not put down to our own resolver', async () => {
    account = await createFullAccount({ url: sound.env.databaseUrl }, { plan: 'pro' });
    honest.set('silent.example', 'servfail');
    const { body } = await ask('/domains/check', { body: { domain: 'silent.example' } }, sound);
    expect(body.unanswered_why).toBeNull();
    expect(body.unanswered).toContain('silent.example');
  });

  it.each([
    ['starttls', 'example.com'],
    ['dane', 'example.com'],
    ['mta_sts', '_mta-sts.example.com'],
    ['dnssec', 'DNSSEC of example.com'],
    ['registration', 'registration of example.com'],
    ['bimi', '_dmarc.example.com'],
  ])('what a lying resolver denies leaves %s unknown where nothing else is asked, and is named', async (area, name) => {
    const { body } = await ask('/domains/check', { body: { domain: 'example.com', checks: [area] } });
    expect(body).toMatchObject({ state: 'unknown', unknown_areas: [area], credits_charged: 0 });
    expect(body.unanswered_why).toMatch(OURS_AND_FREE);
    expect(body.unanswered).toContain(name);
  });

  it('what a lying resolver denies opens no finding of a monitor, and costs nothing', async () => {
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
    const { unanswered_why: why } = (await ask(`/monitors/${body.id}`)).body;
    expect(why).toMatch(OURS_AND_FREE);
    expect(why).toContain('Mailsonde asks again at the next run.');
    for (const run of runs) expect(run.unanswered_why).toBe(why);
    const { events } = (await ask(`/monitors/${body.id}/events`)).body;
    const of = (type: string) => events.find((event: { type: string }) => event.type === type).data;
    for (const type of ['monitor.state', 'monitor.stalled']) expect(of(type)).toMatchObject({ unanswered_why: why });
    expect((await ask(`/monitors/${body.id}/findings`)).body.findings).toEqual([]);
    expect(await remaining()).toBe(before);
  });

  it('what a lying resolver denies is no clean address on block lists, and costs nothing', async () => {
    const before = await remaining();
    const { status, body } = await ask('/blacklists/check', { body: { targets: ['8.8.4.25', 'example.com'] } });
    expect([status, body.credits_charged]).toEqual([200, 0]);
    for (const result of body.results) expect(result).toMatchObject({ status: 'unknown', counts: { not_listed: 0 } });
    const asked = body.results[0].lists.find(({ list }: { list: string }) => list === 'psbl');
    expect(asked).toMatchObject({ status: 'no_answer', why: 'untrusted' });
    expect(await remaining()).toBe(before);
  });

  it('what a lying resolver denies is a host of a webhook of which nothing is known, and not one that does not exist', async () => {
    const { body: endpoint } = await ask('/webhooks', { body: { url: 'https://hooks.example.com/' } });
    const { body: delivery } = await ask(`/webhooks/${endpoint.id}/test`, { method: 'POST' });
    const attempts = async () => {
      await service.app.get(WebhookWorker).wake();
      return (await ask(`/webhooks/deliveries/${delivery.id}`)).body.attempts;
    };
    await expect.poll(attempts).toMatchObject([{ status: null, error: 'resolver_untrusted' }]);
    // The endpoint is not to blame.
    const { body: after } = await ask(`/webhooks/${endpoint.id}`);
    expect(after).toMatchObject({ enabled: true, failing_since: null });
  });

  it('what a resolver makes up for a name is refused as the private address that it is, when a webhook is registered', async () => {
    const forger = await startDnsServer({
      zones: { '*.known.test': { A: ['10.0.0.7'] }, '*.com': { A: ['10.0.0.7'] } },
    });
    const forged = await startService({ env: { dnsServers: [forger.address] } });
    const { liveKey: key } = await createFullAccount({ url: forged.env.databaseUrl });
    const body = { url: 'https://hooks.example.com/' };
    const first = await call(forged, '/api/v1/webhooks', { key, body });
    const second = await call(forged, '/api/v1/webhooks', { key, body });
    await forged.close();
    await forger.close();
    for (const reply of [first, second]) expect([reply.status, reply.body.fields?.[0].field]).toEqual([422, 'url']);
  });

  it('what a lying resolver denies is neither a missing reverse name nor a missing SPF record of a report, which costs nothing', async () => {
    const before = await remaining();
    const body = await analyze();
    expect(body).toMatchObject({
      dns_answered: false,
      credits_charged: 0,
      transport: { reverse_answered: false },
      authentication: { spf: { result: 'temperror' } },
    });
    const codes = body.findings.map(({ code }: { code: string }) => code);
    for (const absence of ['reverse_name_missing', 'spf_missing', 'dmarc_missing'])
      expect(codes).not.toContain(absence);
    expect(await remaining()).toBe(before);
    const { usage } = (await ask('/usage')).body;
    expect(JSON.stringify(usage)).not.toContain('"credits":1');
  });
});

describe('the report of a message', () => {
  it('the report of a message costs its credit again as soon as the resolver tells the truth', async () => {
    await analyze();
    liar.set(KNOWN_DOMAIN, { MX: [[10, 'mx.domain.known.test']] });
    try {
      const body = await analyze();
      expect(body).toMatchObject({
        dns_answered: true,
        credits_charged: 1,
        authentication: { spf: { result: 'none' } },
      });
    } finally {
      liar.set(KNOWN_DOMAIN, 'nxdomain');
    }
  });

  it('the report of a message costs nothing where the resolver answers nobody', async () => {
    const own = await startService({ env: { dnsServers: [NO_DNS_SERVER] } });
    try {
      account = await createFullAccount({ url: own.env.databaseUrl }, { plan: 'pro' });
      expect(await analyze(own)).toMatchObject({ dns_answered: false, credits_charged: 0 });
      expect((await ask('/credits', {}, own)).body).toMatchObject({ reserved: 0 });
    } finally {
      await own.close();
    }
  });

  it.each([
    ['only the name servers of its sender are', { 'example.com': 'servfail', '_dmarc.example.com': 'servfail' }],
    // Who writes a message chooses all of its names: he would have reports without end for nothing.
    [
      'all name servers that it names are',
      { 'example.com': 'servfail', '*.example.com': 'servfail', '25.100.51.198.in-addr.arpa': 'servfail' },
    ],
  ] as const)(
    'the report of a message costs its credit where %s silent: that is a fact about the sender',
    async (_, zones) => {
      for (const [name, zone] of Object.entries(zones)) honest.set(name, zone);
      account = await createFullAccount({ url: sound.env.databaseUrl }, { plan: 'pro' });
      const body = await analyze(sound);
      expect(body).toMatchObject({ dns_answered: true, credits_charged: 1 });
      expect(body.authentication.spf.result).toBe('temperror');
    },
  );
});

describe('a placement test whose mail comes while the resolver lies', () => {
  const SENT = { from: 'news@example.com', raw: 'From: news@example.com\r\nSubject: news\r\n\r\nNews.\r\n' };

  async function arrived(key = account.liveKey) {
    const { body } = await ask('/placement/tests', { key, body: { seeds: 'none' } });
    const { from, raw } = SENT;
    const transport = createTransport({ host: '127.0.0.1', port: service.app.get(InboundServer).port! });
    await transport.sendMail({ envelope: { from, to: body.send_to[0] }, raw });
    return body.id as number;
  }

  async function looked(id: number, key = account.liveKey) {
    await service.app.get(PlacementLoop).run();
    return (await ask(`/placement/tests/${id}`, { key })).body;
  }

  it('a placement test whose mail comes while the resolver lies is judged again until the resolver tells the truth, and charged for that report', async () => {
    const id = await arrived();
    expect(await looked(id)).toMatchObject({ status: 'receiving', report: { dns_answered: false } });
    liar.set(KNOWN_DOMAIN, { MX: [[10, 'mx.domain.known.test']] });
    try {
      time.at += 60_000;
      const test = await looked(id);
      expect(test).toMatchObject({ status: 'completed', credits_charged: 1, report: { dns_answered: true } });
      expect(test.report.authentication.spf.result).toBe('none');
    } finally {
      liar.set(KNOWN_DOMAIN, 'nxdomain');
    }
  });

  it('a placement test whose mail comes while the resolver lies is not waited for behind a test key, which costs nothing anyhow', async () => {
    const id = await arrived(account.testKey);
    expect(await looked(id, account.testKey)).toMatchObject({ status: 'completed', report: { dns_answered: false } });
  });

  it('a placement test whose mail comes while the resolver lies ends after five attempts with what could be seen, and gives its credit back', async () => {
    const before = await remaining();
    const id = await arrived();
    for (let attempt = 1; attempt < 5; attempt++) {
      expect((await looked(id)).status).toBe('receiving');
      time.at += 60_000;
    }
    expect(await looked(id)).toMatchObject({
      status: 'completed',
      credits_charged: 0,
      report: { dns_answered: false, content: { attachments: [] } },
    });
    expect((await ask('/credits')).body).toMatchObject({ remaining: before, reserved: 0 });
  });
});

describe('the proof whose a domain is', () => {
  it('the proof whose a domain is is not ended by a resolver that has begun to lie since', async () => {
    account = await createFullAccount({ url: sound.env.databaseUrl }, { plan: 'pro' });
    const monitor = await ask('/monitors', { body: { kind: 'domain', target: 'proven.example' } }, sound);
    const verify = async () =>
      (await ask(`/monitors/${monitor.body.id}/verify-ownership`, { method: 'POST' }, sound)).body;
    const { record } = await verify();
    const name = record.name.slice(0, -1);
    honest.set(name, { TXT: [record.value] });
    expect(await verify()).toMatchObject({ verified: true, look: 'found', unanswered_why: null });
    honest.set(name, 'nxdomain');
    honest.set(KNOWN_DOMAIN, 'nxdomain');
    const unanswered_why = expect.stringMatching(/own DNS resolver .* not a fault of what you asked about\. Try again/);
    expect(await verify()).toMatchObject({ verified: true, look: 'no_answer', unanswered_why });
    // An honest resolver ends it.
    honest.set(KNOWN_DOMAIN, { MX: [[10, 'mx.domain.known.test']] });
    honest.set(name, { TXT: ['something else'] });
    expect(await verify()).toMatchObject({ verified: false, look: 'missing' });
  });
});
