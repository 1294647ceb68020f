import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call, register } from '../support/call.js';
import { callTool } from '../support/mcp.js';
import { makeScopedKey } from '../support/scoped-keys.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { registrationsPerHour: 100, registrationsPerDay: 100 } });
});

afterAll(() => service.close());

interface Request {
  readonly key: string;
  readonly email: unknown;
  readonly idempotencyKey?: string;
}

/** Asks for one verification, and returns the code of the refusal; null when there is none. */
type Door = (request: Request) => Promise<string | null>;

const rest: Door = async ({ key, email, idempotencyKey }) => {
  const headers: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return (await call(service, '/api/v1/verify', { key, body: { email }, headers })).body.code ?? null;
};
const mcp: Door = async ({ key, email, idempotencyKey }) => {
  const given = { email, ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }) };
  return (await callTool(service, 'verify_email', given, { key })).result.code ?? null;
};

const UNKNOWN_KEY = `ms_agent_${'a'.repeat(38)}`;
const WRONG_INPUT = 7;

// docs/errors.md#what-is-checked-first: each request is wrong in all the ways that are checked later, too.
describe.each([
  ['REST', rest],
  ['MCP', mcp],
])('the checks of %s', (_, ask) => {
  it('the checks of a call come in the order key, rate, idempotency key, input', async () => {
    const key = await register(service);
    const used = { idempotencyKey: 'used' };
    expect(await ask({ key, email: 'jane@nowhere.invalid', ...used })).toBeNull();
    expect(await ask({ key, email: WRONG_INPUT })).toBe('invalid_input');
    expect(await ask({ key, email: WRONG_INPUT, ...used })).toBe('idempotency_key_reused');
    await expect.poll(() => ask({ key, email: 'jane@nowhere.invalid' })).toBe('rate_limited');
    expect(await ask({ key, email: WRONG_INPUT, ...used })).toBe('rate_limited');
    expect(await ask({ key: UNKNOWN_KEY, email: WRONG_INPUT, ...used })).toMatch(/^key_/);
  });
});

it('who asks is checked before what is asked, and that before what it costs, each wrong alone in the end', async () => {
  const account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 0 });
  const admin = await createAdminKey(service);
  const limits = { networks: ['192.0.2.0/24'], permissions: ['credits'], credits_total: 0 };
  const key = await makeScopedKey(service, account.liveKey, { kind: 'live', name: 'All wrong', ...limits });
  const { keys } = (await call(service, '/api/v1/keys', { key: account.liveKey })).body;
  const { id } = keys.find(({ name }: { name: string }) => name === 'All wrong');
  const change = (body: object) => call(service, `/api/v1/keys/${id}`, { key: account.liveKey, method: 'PATCH', body });
  const administer = (act: 'suspend' | 'resume') =>
    call(service, `/admin/v1/accounts/${account.accountId}/${act}`, {
      key: admin,
      body: act === 'suspend' ? { reason: 'a test' } : {},
    });
  const wrong = {
    query: '?colour=red',
    body: { email: 7, max_credits: 0, nonsense: 1 } as object,
    headers: { 'idempotency-key': 'x'.repeat(300) } as Record<string, string>,
  };
  const refusal = async (right: Partial<typeof wrong> = {}) => {
    const { query, body, headers } = { ...wrong, ...right };
    const reply = (await call(service, `/api/v1/verify${query}`, { key, body, headers })).body;
    return reply.fields?.[0].field ?? reply.code;
  };

  await administer('suspend');
  await expect.poll(refusal).toBe('account_suspended');
  await administer('resume');
  await expect.poll(refusal).toBe('address_not_allowed');
  await change({ networks: null });
  await expect.poll(refusal).toBe('permission_missing');
  await change({ permissions: ['verify'] });
  await expect.poll(refusal).toBe('malformed_header');
  const seen = [];
  for (const right of [
    { headers: {} },
    { headers: {}, query: '' },
    { headers: {}, query: '', body: { email: 7, max_credits: 0 } },
    { headers: {}, query: '', body: { email: 'jane@nowhere.invalid', max_credits: 0 } },
    { headers: {}, query: '', body: { email: 'jane@nowhere.invalid' } },
  ])
    seen.push(await refusal(right));
  expect(seen).toEqual(['colour', 'nonsense', 'email', 'ceiling_reached', 'key_ceiling_reached']);
  await change({ credits_total: null });
  const paid = () => refusal({ headers: {}, query: '', body: { email: 'jane@nowhere.invalid' } });
  await expect.poll(paid).toBe('credits_insufficient');
});
