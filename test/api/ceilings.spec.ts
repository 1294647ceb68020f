import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { callTool } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';

let dns: DnsServer;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  dns = await startDnsServer({ zones: {} });
  service = await startService({ env: { dnsServers: [dns.address], registrationsPerHour: 1000 } });
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 100 });
});

afterAll(async () => {
  await service.close();
  await dns.close();
});

const post = (path: string, body: object, key = account.liveKey) => call(service, `/api/v1${path}`, { key, body });
const verify = (more: object = {}, key?: string) => post('/verify', { email: 'jane@nowhere.invalid', ...more }, key);
const standing = async (key = account.liveKey) => (await call(service, '/api/v1/credits', { key })).body;
const history = async () => (await call(service, '/api/v1/credits/history', { key: account.liveKey })).body.entries;
const batchesOf = ({ accountId }: FullAccount) =>
  onDatabase(service.env.databaseUrl, 'SELECT id FROM batches WHERE account_id = $1', [accountId]);

describe('an estimate', () => {
  const estimate = (body: object, key?: string) => post('/estimate', body, key);

  it('an estimate counts addresses as a batch does, costs nothing, and is what the batch reserves', async () => {
    const emails = ['a@example.com', ' a@EXAMPLE.com', 'A@example.com', 'no address', 'no address'];
    const { status, body } = await estimate({ emails });
    expect([status, body]).toEqual([
      200,
      {
        addresses: 5,
        unique_addresses: 3,
        malformed: 1,
        credits_per_address: 1,
        credits_required: 2,
        unknown_is_charged: false,
        batches: 1,
        credits_remaining: 100,
        sufficient: true,
      },
    ]);
    expect(await history()).toHaveLength(1);
    const held = await post('/verify/batch?hold=true', { emails });
    expect(held.body.quote).toMatchObject({ unique_emails: 3, malformed: 1, max_credits: 2 });
  });

  it('an estimate of a count takes as many batches as the key needs, and addresses decide where both come', async () => {
    const { body } = await estimate({ count: 60, emails: null }, await register(service));
    expect(body.data).toMatchObject({ addresses: 60, malformed: null, credits_required: 60, batches: 3 });
    expect(body.data).toMatchObject({ unknown_is_charged: true, credits_remaining: 25, sufficient: false });
    expect((await estimate({ count: 60, emails: ['a b'] })).body).toMatchObject({ addresses: 1, credits_required: 0 });
    const { result } = await callTool(service, 'estimate_cost', { count: '101', emails: [] }, { key: account.liveKey });
    expect((await estimate({ count: 101 })).body).toMatchObject({ sufficient: false, batches: 1 });
    expect(result).toMatchObject({ sufficient: false, credits_required: 101, action: 'add_credits' });
  });

  it.each([
    [{}, 'emails'],
    [{ emails: null, count: null }, 'emails'],
    [{ emails: [] }, 'emails'],
    [{ emails: 'a@example.com' }, 'emails'],
    [{ emails: [1] }, 'emails'],
    [{ emails: ['x'.repeat(1001)] }, 'emails'],
    [{ emails: Array.from({ length: 10_001 }, () => 'a') }, 'emails'],
    [{ count: 0 }, 'count'],
    [{ count: 1.5 }, 'count'],
    [{ count: 1_000_001 }, 'count'],
  ])('an estimate of %j is 422', async (body, field) => {
    const reply = await estimate(body);
    expect([reply.status, reply.body.fields?.[0].field]).toEqual([422, field]);
  });
});

describe('max_credits', () => {
  const PERSON = { full_name: 'Jane Doe', domain: 'example.com' };
  const EMAILS = { emails: ['a@nowhere.invalid', 'b@nowhere.invalid', 'a@nowhere.invalid', 'c@nowhere.invalid'] };
  const PAID = [
    ['/verify', { email: 'jane@nowhere.invalid' }, 1],
    ['/verify/batch', EMAILS, 3],
    ['/finder/email', PERSON, 1],
    ['/finder/batch', { people: [PERSON, { ...PERSON, full_name: 'Joe Doe' }, PERSON] }, 2],
  ] as const;

  it.each(PAID)('max_credits stops %s before anything is done when it may cost more', async (path, body, required) => {
    for (const key of [account.liveKey, account.testKey]) {
      const { status, body: refusal } = await post(path, { ...body, max_credits: required - 1 }, key);
      expect([status, refusal.code, refusal.required]).toEqual([402, 'ceiling_reached', required]);
    }
    expect(await batchesOf(account)).toEqual([]);
    expect(await history()).toHaveLength(1);
  });

  it.each(PAID)('max_credits lets %s through that may cost as much, or names none', async (path, body, required) => {
    for (const max_credits of [required, null, undefined])
      expect((await post(path, { ...body, max_credits }, account.testKey)).status).toBeLessThan(300);
  });

  it.each(PAID)('max_credits of %s that is no whole number from 0 to a billion is 422', async (path, body) => {
    for (const max_credits of [-1, 1.5, '3', 'x', true, {}, 1_000_000_001]) {
      const { status, body: refusal } = await post(path, { ...body, max_credits }, account.testKey);
      expect([status, refusal.fields?.[0].field], JSON.stringify(max_credits)).toEqual([422, 'max_credits']);
    }
  });

  it('max_credits stands in the query of a body of lines, and in a form', async () => {
    const form = (value: string) => {
      const data = new FormData();
      data.set('max_credits', value);
      data.set('file', new Blob(['a@nowhere.invalid\nb@nowhere.invalid\n'], { type: 'text/plain' }), 'list.txt');
      return data;
    };
    const send = async (query: string, body: string | FormData) => {
      const headers = { authorization: `Bearer ${account.testKey}` };
      const response = await fetch(`${service.url}/api/v1/verify/batch${query}`, { method: 'POST', headers, body });
      return [response.status, ((await response.json()) as { code?: string }).code];
    };
    expect(await send('?max_credits=1', 'a@nowhere.invalid\nb@nowhere.invalid\n')).toEqual([402, 'ceiling_reached']);
    expect(await send('?max_credits=2', 'a@nowhere.invalid\nb@nowhere.invalid\n')).toEqual([201, undefined]);
    expect(await send('?max_credits=two', 'a@nowhere.invalid\nb@nowhere.invalid\n')).toEqual([422, 'invalid_input']);
    expect(await send('', form('1'))).toEqual([402, 'ceiling_reached']);
    expect(await send('', form('2'))).toEqual([201, undefined]);
    expect(await send('', form(' 2'))).toEqual([422, 'invalid_input']);
  });

  it('max_credits is told before credits are missing, and leaves the free credits of an agent alone', async () => {
    const key = await register(service);
    expect((await verify({ max_credits: 0 }, key)).body.code).toBe('ceiling_reached');
    const emails = Array.from({ length: 25 }, (_, i) => `p${i}`);
    expect((await post('/verify/batch', { emails, max_credits: 24 }, key)).body).toMatchObject({ required: 25 });
    expect((await standing(key)).data).toMatchObject({ used_today: 0 });
    const { liveKey } = await createFullAccount({ url: service.env.databaseUrl }, { credits: 0 });
    expect((await verify({ max_credits: 0 }, liveKey)).body.code).toBe('ceiling_reached');
    expect((await verify({ max_credits: 1 }, liveKey)).body.code).toBe('credits_insufficient');
  });

  it('max_credits is an argument of the tools that cost something', async () => {
    const use = async (name: string, given: object) =>
      (await callTool(service, name, given, { key: account.liveKey })).result;
    const refusal = { code: 'ceiling_reached', action: 'correct_input' };
    expect(await use('verify_email', { email: 'jane@nowhere.invalid', max_credits: 0 })).toMatchObject(refusal);
    expect(await use('verify_batch', { ...EMAILS, max_credits: 2 })).toMatchObject({ ...refusal, required: 3 });
    expect(await standing()).toMatchObject({ remaining: 100 });
    expect(await use('verify_batch', { ...EMAILS, max_credits: 3 })).toMatchObject({ unique_emails: 3 });
  });
});
