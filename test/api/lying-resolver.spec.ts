import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { openEngine } from '../../src/verify/open-engine.js';
import { openResolverJudge } from '../../src/resolver/own-resolver.js';
import { ResolverReports } from '../../src/verify/engine-reports.js';
import { createFullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { KNOWN_DOMAIN, startDnsServer, type DnsReply, type DnsServer } from '../support/dns-server.js';
import { createAdminKey, runAdmin } from '../support/admin.js';
import { scrape } from '../support/scrape.js';
import { callTool } from '../support/mcp.js';
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
    expect(unknown.body).toMatchObject({ verdict: 'unknown', credits_charged: 0 });
    expect(unknown.body.evidence.text).toMatch(
      /^untrusted: This service's own DNS resolver gave answers .* not a fault of what you asked about, and nothing was charged\. .*ask again later\.$/,
    );
    const role = await call(service, '/api/v1/verify', { key, body: { email: 'sales@example.com' } });
    expect(role.body).toMatchObject({
      verdict: 'unknown',
      reason: 'dns_error',
      checks: { role: true },
      credits_charged: 0,
    });
    expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
  });

  it('an agent is told that it is our own resolver that was not believed, and not the name servers of the domain', async () => {
    const { result } = await callTool(
      service,
      'verify_email',
      { email: 'jane@example.com' },
      { key: await register(service) },
    );
    expect(result).toMatchObject({ result: 'unknown', reason: 'dns_error', credits_charged: 0 });
    expect(result.explanation).toMatch(/^This service's own DNS resolver gave answers that contradict what is known/);
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
  it('the administrator is told first, by the status and by the interface, while the resolver of a process lies, and no longer', async () => {
    const own = await startDnsServer();
    const started = await startService({ database, env: { dnsServers: [own.address], metricsPort: 0 } });
    const reports = started.app.get(ResolverReports, { strict: false });
    const key = await createAdminKey(started);
    const doubts = async () => (await call(started, '/admin/v1/workers', { key })).body.resolver_doubts;
    const believed = async () => (await scrape(started)).valueOf('mailsonde_resolver_believed');
    try {
      await reports.run();
      expect([await doubts(), await believed()]).toEqual([[], 1]);
      own.set(KNOWN_DOMAIN, 'nxdomain');
      await call(started, '/api/v1/verify', { key: await register(started), body: { email: 'jane@example.com' } });
      await reports.run();
      expect(await doubts()).toMatchObject([{ finding: 'denies', processes: 1 }]);
      expect(await believed()).toBe(0);
      const work = await runAdmin(started, 'workers');
      expect(work.out).toMatch(/\nDNS resolvers that lie\n(.*\n)*.*\bdenies\b/);
      const { exit, out } = await runAdmin(started, 'status');
      expect(out).toMatch(
        /\nHealth +\d+ problems?\n +! MailsondeResolverLies: The DNS resolver of the machine \S+ lies: it says that domains do not/,
      );
      expect(exit).not.toBe(0);
      own.set(KNOWN_DOMAIN, { MX: [[10, 'mx.domain.known.test']] });
      await reports.run();
      expect([await doubts(), await believed()]).toEqual([[], 1]);
      expect((await runAdmin(started, 'status')).out).not.toContain('resolver');
    } finally {
      await started.close();
      await own.close();
    }
  });

  it('the administrator is told once that the resolver lies, and once that it is believed again', async () => {
    const zones = { [KNOWN_DOMAIN]: 'nxdomain', 'example.com': { MX: [[0, '.']] } } as const;
    const own = await startDnsServer({ zones });
    const problems: string[] = [];
    const solved: string[] = [];
    const env = { ...loadEnv({}), dnsServers: [own.address], dnsKnownDomains: [KNOWN_DOMAIN] };
    const resolverJudge = openResolverJudge(env, {
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
