import { afterAll, beforeAll, expect, it } from 'vitest';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, readBatch } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';
import { nextLook } from '../support/next-look.js';

const clock = { time: Date.parse('2026-11-21T23:59:00Z'), now: () => clock.time };

let dns: DnsServer;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  dns = await startDnsServer({ zones: { 'silent.example.com': 'silent' } });
  service = await startService({ clock, env: { dnsServers: [dns.address] } });
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 9 });
});

afterAll(async () => {
  await service.close();
  await dns.close();
});

const verify = (email: string, key = account.liveKey) =>
  call(service, '/api/v1/verify', { key, body: { email, timeout_ms: 1000 } });
const usage = async (query: string, key = account.liveKey) =>
  (await call(service, `/api/v1/usage?${query}`, { key })).body;
const row = (value: unknown, items: number, credits: number, refused: number | null = null) => ({
  value,
  items,
  credits,
  free_credits: 0,
  refused_402: refused,
  refused_429: refused === null ? null : 0,
});

async function batchOf(emails: readonly string[], key = account.liveKey): Promise<number> {
  const { body } = await call(service, '/api/v1/verify/batch', { key, body: { emails } });
  while ((await readBatch(service.env.databaseUrl, body.id)).state !== 'completed') await nextLook();
  return body.id as number;
}

it('usage and ledger tell the same of an account: by day, key, verdict, reason and endpoint', async () => {
  await verify('jane@nowhere.invalid');
  await verify('someone@silent.example.com');
  clock.time += 120_000;
  const id = await batchOf(['a@nowhere.invalid', 'b@nowhere.invalid', 'a@nowhere.invalid', 'c@nowhere.invalid']);
  expect(
    (
      await call(service, '/api/v1/verify/batch', {
        key: account.liveKey,
        body: { emails: Array.from('abcdefgh', (name) => `${name}@nowhere.invalid`) },
      })
    ).status,
  ).toBe(402);
  const all = 'from=2026-11-21&to=2026-11-22';
  expect((await usage(all)).usage).toEqual([row('2026-11-21', 2, 1, 0), row('2026-11-22', 3, 3, 1)]);
  expect((await usage(`${all}&by=verdict`)).usage).toEqual([row('invalid', 4, 4), row('unknown', 1, 0)]);
  expect((await usage(`${all}&by=endpoint`)).usage).toEqual([row('batch', 3, 3), row('verify', 2, 1)]);
  const { entries } = (await call(service, '/api/v1/credits/history?limit=100', { key: account.liveKey })).body;
  expect((await usage(`${all}&by=key`)).usage).toEqual([row(entries[0].key_id, 5, 4, 1)]);
  expect((await usage(`${all}&by=reason`)).usage.map(({ value }: { value: string }) => value)).toContain(
    'domain_not_found',
  );
  expect((await usage('')).total).toMatchObject({ credits: 4 });
  expect((await usage('to=2026-11-21')).total).toMatchObject({ items: 2, credits: 1 });
  const batches = entries.map((entry: { batch_id: unknown }) => entry.batch_id).filter((one: unknown) => one !== null);
  expect(new Set(batches)).toEqual(new Set([id]));
  expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
});

it('usage that is not what the ledger charges is found by the audit', async () => {
  const change = (by: number) =>
    onDatabase(
      service.env.databaseUrl,
      `UPDATE usage_days SET credits = credits + ${by} WHERE verdict = 'invalid' AND endpoint = 'verify'`,
    );
  await change(1);
  expect((await service.app.get(CreditsAudit).run()).differing).toMatchObject([{ usageCharged: 5, ledgerCharged: 4 }]);
  await change(-1);
});

it('usage is one file of CSV where that is asked for', async () => {
  const headers = { authorization: `Bearer ${account.liveKey}` };
  const response = await fetch(`${service.url}/api/v1/usage?from=2026-11-21&to=2026-11-21&format=csv`, { headers });
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(await response.text()).toBe(
    'day,items,credits,free_credits,refused_402,refused_429\r\n2026-11-21,2,1,0,0,0\r\n',
  );
});

it('usage of test keys is their own, and costs nothing', async () => {
  await verify('valid@example.com', account.testKey);
  await batchOf(['valid@example.com', 'invalid@example.com'], account.testKey);
  await expect
    .poll(async () => (await usage('by=verdict', account.testKey)).usage)
    .toEqual([row('invalid', 1, 0), row('valid', 2, 0)]);
  expect((await usage('')).total).toMatchObject({ items: 5, credits: 4 });
});

it('usage of an agent counts its free credits', async () => {
  const key = await register(service);
  await verify('jane@nowhere.invalid', key);
  await call(service, '/api/v1/verify/batch', { key, body: { emails: ['a b', 'c d'] } });
  const rows = () =>
    onDatabase(
      service.env.databaseUrl,
      'SELECT sum(free_credits)::integer AS free, sum(credits)::integer AS paid FROM usage_days WHERE free_credits > 0',
    );
  await expect.poll(rows).toEqual([{ free: 3, paid: 0 }]);
  expect((await call(service, '/api/v1/usage', { key })).body.code).toBe('full_account_required');
});

it.each([
  'from=2026-02-30',
  'from=x',
  'from=2026-11-22&to=2026-11-21',
  'from=2025-01-01&to=2026-11-21',
  'by=account',
  'format=xml',
])('usage of %s is refused', async (query) => {
  expect(await usage(query)).toMatchObject({ code: 'invalid_input' });
});
