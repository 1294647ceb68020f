import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { openEngine } from '../../src/verify/open-engine.js';
import { judgeResolver } from '../../src/resolver/judge-resolver.js';
import { createFullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { KNOWN_DOMAIN, startDnsServer, type DnsReply, type DnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';

/** A captive portal: its address for every name. */
const PORTAL: DnsReply = { A: ['192.0.2.80'] };

let dns: DnsServer;
let database: TestDatabase;
let service: TestService;

beforeAll(async () => {
  dns = await startDnsServer({ zones: { [KNOWN_DOMAIN]: PORTAL, '*.known.test': PORTAL }, answer: () => PORTAL });
  database = await createTestDatabase();
  service = await startService({ database, env: { dnsServers: [dns.address], batchRetryWindowSeconds: 0 } });
});

afterAll(async () => {
  await service.close();
  await Promise.all([dns.close(), database.drop()]);
});

describe('while the resolver lies', () => {
  it('nothing is charged for what it prevents, not to agents and not for a role address either', async () => {
    const agent = await register(service);
    const { body } = await call(service, '/api/v1/verify', { key: agent, body: { email: 'jane@example.com' } });
    expect(body.data).toMatchObject({ result: 'unknown', reason: 'dns_error' });
    const { body: credits } = await call(service, '/api/v1/credits', { key: agent });
    expect(credits.data).toMatchObject({ used_today: 0 });

    const { liveKey: key } = await createFullAccount(database);
    const unknown = await call(service, '/api/v1/verify', { key, body: { email: 'jane@example.com' } });
    expect(unknown.body).toMatchObject({ verdict: 'unknown', credits_charged: 0, evidence: { text: 'untrusted' } });
    const role = await call(service, '/api/v1/verify', { key, body: { email: 'sales@example.com' } });
    expect(role.body).toMatchObject({
      verdict: 'unknown',
      reason: 'dns_error',
      checks: { role: true },
      credits_charged: 0,
    });
    expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
  });

  it('a batch costs what needs no resolver', async () => {
    const agent = await register(service);
    const emails = ['jane@example.com', 'no address', 'sales@example.org'];
    const { body } = await call(service, '/api/v1/verify/batch', { key: agent, body: { emails } });
    const status = async () => (await call(service, `/api/v1/verify/batch/${body.data.id}`, { key: agent })).body.data;
    await expect.poll(async () => (await status()).status).toBe('completed');
    expect(await status()).toMatchObject({ credits_charged: 1, counts: { invalid: 1, unknown: 2 } });
  });
});

describe('the administrator', () => {
  it('the administrator is told once that the resolver lies, and once that it is believed again', async () => {
    const zones = { [KNOWN_DOMAIN]: 'nxdomain', 'example.com': { MX: [[0, '.']] } } as const;
    const own = await startDnsServer({ zones });
    const problems: string[] = [];
    const solved: string[] = [];
    const env = { ...loadEnv({}), dnsServers: [own.address], dnsKnownDomains: [KNOWN_DOMAIN] };
    const resolverJudge = judgeResolver(env, {
      problem: (line) => problems.push(line),
      solved: (line) => solved.push(line),
    });
    const engine = await openEngine(env, { resolverJudge, onProblem: (line) => problems.push(line) });
    try {
      for (const email of ['jane@gone.com', 'jane@away.com']) {
        expect((await engine.verify(email, { budgetMs: 15_000 })).reason).toBe('dns_error');
      }
      expect(problems).toEqual([expect.stringContaining(`does not exist (one of ${KNOWN_DOMAIN})`)]);
      expect(solved).toEqual([]);
      expect((await engine.verify('jane@example.com', { budgetMs: 15_000 })).reason).toBe('null_mx');
      expect([problems.length, solved.length]).toEqual([1, 1]);
    } finally {
      engine.close();
      await own.close();
    }
  });
});
