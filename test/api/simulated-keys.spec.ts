import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCENARIOS } from '../../src/simulator/scenarios.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startDnsServer, type DnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';

let database: TestDatabase;
let dns: DnsServer;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  database = await createTestDatabase();
  // The real world, in which no domain exists: whoever is asked in earnest is told so.
  dns = await startDnsServer({ zones: {} });
  // Nor does the service look at anything by itself.
  const env = { dnsServers: [dns.address], registrationsPerHour: 1000 };
  service = await startService({ database, env });
  account = await createFullAccount(database, { credits: 0 });
});

afterAll(async () => {
  await service.close();
  await dns.close();
  await database.drop();
});

const verify = (email: unknown, key = account.testKey) => call(service, '/api/v1/verify', { key, body: { email } });

/** Every trace that money leaves. */
async function books(): Promise<unknown> {
  const [row] = await service.app.get(DataSource).query(
    `SELECT (SELECT count(*)::integer FROM credit_reservations) AS reservations,
            (SELECT count(*)::integer FROM credit_ledger) AS entries,
            (SELECT sum(available)::integer FROM credit_balances) AS available`,
  );
  return row;
}

describe('a test key', () => {
  it.each(Object.entries(SCENARIOS))(
    'a test key gets the verdict that the word %s promises, for nothing',
    async (word, promised) => {
      for (const email of [`${word}@acme.com`, `jane+${word}@acme.com`]) {
        const { status, body } = await verify(email);
        expect(status).toBe(200);
        expect(body).toMatchObject({
          email,
          normalized_email: email,
          verdict: promised.verdict,
          reason: promised.reason,
          credits_charged: 0,
        });
      }
      expect(await books()).toEqual({ reservations: 0, entries: 0, available: 0 });
    },
  );

  it('a test key gets the whole flat shape, with evidence and advice', async () => {
    const { body } = await verify('Jane+greylisted@Acme.com');
    expect(body).toEqual({
      email: 'Jane+greylisted@Acme.com',
      verdict: 'unknown',
      confidence: expect.any(Number),
      checks: {
        syntax: 'pass',
        mx: 'pass',
        smtp: 'unknown',
        catch_all: false,
        disposable: false,
        role: false,
        spam_trap: false,
        free: false,
      },
      credits_charged: 0,
      latency_ms: expect.any(Number),
      reason: 'greylisted',
      did_you_mean: null,
      provider: null,
      mx_host: 'mx.simulated.test',
      normalized_email: 'Jane+greylisted@acme.com',
      action: 'retry_later',
      retry_after: 300,
      evidence: {
        stage: 'rcpt',
        mx_host: 'mx.simulated.test',
        mx_address: '192.0.2.25',
        reply_code: 451,
        enhanced_code: '4.7.1',
        text: 'Greylisting in action, please come back in 00:05:00',
        from_cache: false,
        witness: null,
        source: 'default',
      },
      checked_at: expect.any(String),
      request_id: expect.any(String),
    });
  });

  it.each(['jane@acme.com', 'info@gmail.com'])(
    'a test key finds %s valid, as everything without a word',
    async (email) => {
      expect((await verify(email)).body).toMatchObject({ email, verdict: 'valid', reason: 'mailbox_exists' });
    },
  );

  it('a test key gets invalid_syntax for a text that is no address, and 422 for a value that is no text', async () => {
    expect((await verify('valid@')).body).toMatchObject({ verdict: 'invalid', reason: 'invalid_syntax' });
    const { status, body } = await verify(7);
    expect([status, body.code]).toEqual([422, 'invalid_input']);
  });

  it.each(['insufficient-credits@acme.com', 'jane+insufficient-credits@acme.com'])(
    'a test key gets the refusal of missing credits by %s',
    async (email) => {
      const { status, body } = await verify(email);
      expect(status).toBe(402);
      expect(body).toMatchObject({ success: false, code: 'credits_insufficient', required: 1, remaining: 0 });
    },
  );

  it.each(['rate-limited@acme.com', 'jane+rate-limited@acme.com'])(
    'a test key gets the refusal of the rate by %s',
    async (email) => {
      const { status, headers, body } = await verify(email);
      expect(status).toBe(429);
      expect(body).toMatchObject({ success: false, code: 'rate_limited' });
      expect(headers.get('retry-after')).toBe('1');
    },
  );

  it('a test key is held to the rate of its plan', async () => {
    const { headers } = await verify('valid@acme.com');
    expect(headers.get('x-ratelimit-limit')).toBe('400');
  });

  it('a test key makes no connection to the outside', () => {
    expect(dns.questions).toEqual([]);
  });
});

it('an agent key that sends a magic word asks the real engine, and pays', async () => {
  const key = await register(service);
  expect((await verify('full@acme.com', key)).body.data).toMatchObject({ reason: 'domain_not_found' });
  expect((await verify('insufficient-credits@acme.com', key)).status).toBe(200);
  const { body } = await call(service, '/api/v1/credits', { key });
  expect(body.data.used_today).toBe(2);
});
