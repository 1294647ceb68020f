import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { type ScriptedSmtpServer, startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import { startService, type TestService } from '../support/service.js';

let dns: DnsServer;
let mailHost: ScriptedSmtpServer;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  dns = await startDnsServer({
    zones: {
      'example.com': {
        MX: [[10, 'mx.example.com']],
        TXT: ['v=spf1 include:gone.example ip4:8.8.4.25 -all', 'with a \0 in it'],
      },
      'mx.example.com': { A: ['127.0.0.1'] },
      'mx.off.example.com': { A: ['8.8.4.25'] },
      '25.4.8.8.in-addr.arpa': { PTR: ['mx.off.example.com'] },
      '_dmarc.example.com': { TXT: ['v=DMARC1; p=none; rua=mailto:reports@example.com'] },
      'quiet.example': 'silent',
      '*.quiet.example': 'silent',
    },
  });
  mailHost = await startScriptedSmtpServer({ extensions: ['STARTTLS'] });
  const smtpPort = mailHost.port;
  service = await startService({
    env: { dnsServers: [dns.address], smtpPort, mxAllowedNetworks: ['127.0.0.0/8'], heloName: 'us.example' },
    timer: SYSTEM_TIMER,
  });
});

afterAll(async () => {
  await service.close();
  await mailHost.close();
  await dns.close();
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl });
});

const check = (body: object, key = account.liveKey, headers = {}) =>
  call(service, '/api/v1/domains/check', { key, body, headers });
const kept = async (query = '') =>
  (await call(service, `/api/v1/domains/checks${query}`, { key: account.liveKey })).body;
const remaining = async () => (await call(service, '/api/v1/credits', { key: account.liveKey })).body.remaining;
const codesOf = (findings: readonly { code: string }[]) => findings.map(({ code }) => code);

describe('a check of a domain', () => {
  it('a check of a domain says what is wrong, by what it was seen, and which record to publish, for one credit', async () => {
    const { status, body } = await check({ domain: 'Example.com.' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'completed', domain: 'example.com', state: 'critical', credits_charged: 1 });
    expect(codesOf(body.findings)).toEqual(expect.arrayContaining(['spf_include_missing', 'dmarc_policy_none']));
    expect(body.findings[0].severity).toBe('critical');
    expect(body.findings.find(({ code }: { code: string }) => code === 'spf_include_missing')).toMatchObject({
      area: 'spf',
      fix: {
        action: 'replace',
        name: 'example.com.',
        current: 'v=spf1 include:gone.example ip4:8.8.4.25 -all',
        value: 'v=spf1 ip4:8.8.4.25 -all',
        confidence: 'certain',
      },
    });
    expect(body.records).toEqual(
      expect.arrayContaining([
        { area: 'mx', name: 'example.com.', type: 'MX', value: '10 mx.example.com.' },
        { area: 'spf', name: 'example.com.', type: 'TXT', value: 'v=spf1 include:gone.example ip4:8.8.4.25 -all' },
      ]),
    );
    expect(await remaining()).toBe(999);
  });

  it('a check of a domain looks how mail hosts encrypt, and asks them nothing where nobody wants to know', async () => {
    const { body } = await check({ domain: 'example.com', checks: ['starttls'] });
    const names = mailHost.connections.at(-1)!.lines;
    expect(names.slice(0, 2)).toEqual(['EHLO us.example', 'STARTTLS']);
    expect(body.starttls).toMatchObject([
      { host: 'mx.example.com', outcome: 'encrypted', why: null, protocol: 'TLSv1.3', is_trusted: false },
    ]);
    // What the package of the test server brings is old, and for nobody.
    expect(codesOf(body.findings)).toContain('cert_name_mismatch');
    const asked = mailHost.connections.length;
    expect((await check({ domain: 'example.com', checks: ['spf'] })).body.starttls).toEqual([]);
    expect(mailHost.connections).toHaveLength(asked);
  });

  it('a check of a domain shows what its SPF record asks for as a tree by depth, with the look-ups of each branch', async () => {
    dns.set('tree.example', { TXT: ['v=spf1 include:one.example a:none.example -all'] });
    dns.set('one.example', { TXT: ['v=spf1 include:two.example mx:tree.example ~all'] });
    dns.set('two.example', { TXT: ['v=spf1 ip4:8.8.4.25 ~all'] });
    const { body } = await check({ domain: 'tree.example' });
    expect(body.spf_lookups).toBe(4);
    expect(
      body.spf_terms.map((one: { depth: number; term: string; lookups: number; void: boolean; problem: string }) =>
        [one.depth, one.term, one.lookups, one.void, one.problem].join(' '),
      ),
    ).toEqual([
      '0 include:one.example 3 false ',
      '1 include:two.example 1 false ',
      '1 mx:tree.example 1 true ',
      '0 a:none.example 1 true ',
    ]);
    expect((await check({ domain: 'tree.example', checks: ['dmarc'] })).body.spf_terms).toEqual([]);
  });

  it('a check of a domain leaves only the areas that were asked for, and judges by them', async () => {
    const { body } = await check({ domain: 'example.com', checks: ['dmarc'] });
    expect(body).toMatchObject({ state: 'warning', counts: { critical: 0, warning: 1, info: 0 } });
    expect(codesOf(body.findings)).toEqual(['dmarc_policy_none']);
    expect(body.records.map(({ area }: { area: string }) => area)).toEqual(['dmarc']);
  });

  it('a check of a domain is unknown and free where the DNS does not answer for the domain, within the time given', async () => {
    const { body } = await check({ domain: 'quiet.example', timeout_ms: 1000 });
    expect(body).toMatchObject({ state: 'unknown', findings: [], credits_charged: 0 });
    expect(body.unanswered).toContain('quiet.example');
    expect(body.latency_ms).toBeLessThan(5000);
    expect(await remaining()).toBe(1000);
  });

  it('a check of a domain with an idempotency key is made and charged once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await check({ domain: 'example.com' }, account.liveKey, headers);
    const second = await check({ domain: 'example.com' }, account.liveKey, headers);
    expect(second.body).toEqual(first.body);
    expect(await remaining()).toBe(999);
    expect((await kept()).checks).toHaveLength(1);
  });

  it.each([
    [{ domain: '192.0.2.1' }, 'domain must be a domain'],
    [{ domain: 'co.uk' }, 'domain is a domain under which anybody can register'],
    [{ domain: 'jane@example.com' }, 'domain must be a domain'],
    [{ domain: 'example.com', sending_addresses: ['8.8.4.25', '10.0.0.1'] }, 'sending_addresses[1] must be a public'],
    [{ domain: 'example.com', dkim_selectors: ['a b'] }, 'dkim_selectors must be names such as s1'],
    [{ domain: 'example.com', dkim_selectors: Array(21).fill('s1') }, 'dkim_selectors'],
    [{ domain: 'example.com', checks: ['weather'] }, 'checks'],
    [{ domain: 'example.com', timeout_ms: 60_000 }, 'timeout_ms'],
  ])('a check of a domain refuses %j', async (request, words) => {
    const { status, body } = await check(request);
    expect([status, body.code]).toEqual([422, 'invalid_input']);
    expect(JSON.stringify(body)).toContain(words);
  });

  it('a check of a domain costs nobody more than they have or want to spend', async () => {
    const poor = await createFullAccount({ url: service.env.databaseUrl }, { credits: 0 });
    expect((await check({ domain: 'example.com' }, poor.liveKey)).status).toBe(402);
    expect((await check({ domain: 'example.com', max_credits: 0 })).status).not.toBe(200);
    expect(await remaining()).toBe(1000);
  });

  it('a check of a domain is for full accounts only', async () => {
    const { status, body } = await check({ domain: 'example.com' }, await register(service));
    expect([status, body.error?.code ?? body.code]).toEqual([403, 'full_account_required']);
  });
});

describe('kept checks of domains', () => {
  it('kept checks of domains are listed newest first, answered as they were, and forgotten after 30 days', async () => {
    const first = await check({ domain: 'example.com' });
    const second = await check({ domain: 'www.example.com' });
    expect((await kept()).checks).toMatchObject([
      { id: second.body.id, domain: 'www.example.com' },
      { id: first.body.id, domain: 'example.com', state: 'critical', counts: first.body.counts },
    ]);
    expect((await kept('?domain=example.com')).checks).toMatchObject([{ id: first.body.id }]);
    const path = `/api/v1/domains/checks/${first.body.id}`;
    const one = await call(service, path, { key: account.liveKey });
    expect({ ...one.body, request_id: '' }).toEqual({ ...first.body, request_id: '' });
    await onDatabase(
      service.env.databaseUrl,
      `UPDATE domain_checks SET created_at = now() - interval '31 days' WHERE id = $1`,
      [first.body.id],
    );
    expect((await call(service, path, { key: account.liveKey })).body.code).toBe('check_not_found');
    expect((await kept()).checks).toHaveLength(1);
    await check({ domain: 'example.com' });
    expect(
      await onDatabase(service.env.databaseUrl, 'SELECT 1 FROM domain_checks WHERE id = $1', [first.body.id]),
    ).toEqual([]);
  });
});

describe('with a test key', () => {
  it.each([
    ['clean.example.com', 'ok'],
    ['spf-broken.example.com', 'critical'],
    ['weak-dkim.example.com', 'warning'],
    ['silent.example.com', 'unknown'],
  ])('the first label decides, and nobody is asked: %s is %s', async (domain, state) => {
    const { body } = await check({ domain }, account.testKey);
    expect(body).toMatchObject({ domain, state, credits_charged: 0 });
    expect(dns.questions.filter(({ name }) => name.endsWith(domain))).toEqual([]);
  });
});
