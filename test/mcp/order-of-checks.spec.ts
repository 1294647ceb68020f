import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, register } from '../support/call.js';
import { callTool } from '../support/mcp.js';
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
  it('come in the order key, rate, idempotency key, input', async () => {
    const key = await register(service);
    const used = { idempotencyKey: 'used' };
    expect(await ask({ key, email: 'no address', ...used })).toBeNull();
    expect(await ask({ key, email: WRONG_INPUT })).toBe('invalid_input');
    expect(await ask({ key, email: WRONG_INPUT, ...used })).toBe('idempotency_key_reused');
    await expect.poll(() => ask({ key, email: 'no address' }), { timeout: 15_000 }).toBe('rate_limited');
    expect(await ask({ key, email: WRONG_INPUT, ...used })).toBe('rate_limited');
    expect(await ask({ key: UNKNOWN_KEY, email: WRONG_INPUT, ...used })).toMatch(/^key_/);
  });
});
