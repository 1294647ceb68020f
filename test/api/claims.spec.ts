import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { call, type Reply } from '../support/call.js';
import { callTool } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';

const FREE = 25;
/** No domain, so that each is answered at once. */
const MALFORMED = Array.from({ length: FREE }, (_, i) => `nobody-${i}`);

let now = Date.parse('2026-11-21T10:00:00.000Z');
const iso = () => new Date(now).toISOString();
let service: TestService;
let account: FullAccount;
let adminKey: string;

interface Agent {
  readonly api_key: string;
  readonly claim_token: string;
}

beforeAll(async () => {
  const limits = { registrationsPerHour: 1_000, registrationsPerDay: 1_000 };
  service = await startService({ clock: { now: () => now }, env: limits });
  adminKey = await createAdminKey(service);
});

afterAll(() => service.close());

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl });
});

const registered = async (body: object = { name: 'Scout' }) =>
  (await call(service, '/agent-gateway/register', { body })).body as Agent;
const claim = (body: object, key = account.liveKey) => call(service, '/api/v1/claims', { key, body });
const codeOf = ({ status, body }: Reply) => [status, body.code];
const submit = (agent: Agent, emails: readonly string[]) =>
  call(service, '/api/v1/verify/batch', { key: agent.api_key, body: { emails } });
const keysOf = async (key: string) => (await call(service, '/api/v1/keys', { key })).body.keys as { id: string }[];
const idOf = async (agent: Agent) =>
  (
    await onDatabase(service.env.databaseUrl, 'SELECT id FROM api_keys WHERE last_four = $1 AND kind = $2', [
      agent.api_key.slice(-4),
      'agent',
    ])
  )[0]!['id'] as string;

describe('a registration', () => {
  it('a registration has a claim_token, of which only a hash is stored, and a claim_url without it', async () => {
    const { body } = await call(service, '/agent-gateway/register', { body: {} });
    expect(body).toMatchObject({
      claim_url: `${service.url}/claim`,
      claim_token: expect.stringMatching(/^ms_claim_[0-9A-Za-z]{38}$/),
    });
    const rows = await onDatabase(service.env.databaseUrl, 'SELECT * FROM agent_registrations');
    expect(JSON.stringify(rows)).not.toContain(body.claim_token);
    expect((await call(service, '/api/v1/credits', { key: body.claim_token })).body.code).toBe('key_malformed');
  });
});

describe('claim_url', () => {
  it.each([
    ['text/html,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/markdown', 'text/markdown; charset=utf-8'],
    ['*/*', 'text/plain; charset=utf-8'],
    ['image/png', 'text/plain; charset=utf-8'],
  ])('claim_url answers who accepts %s with what to do, as %s, and sends no Referer on', async (accept, type) => {
    const reply = await fetch(`${service.url}/claim`, { headers: { accept } });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
    const text = await reply.text();
    expect(text).toContain(`${service.url}/api/v1/claims`);
    expect(text).toContain('claim_token');
    // A browser gets it in the frame of all pages.
    expect(text.includes('class="masthead"')).toBe(type.startsWith('text/html'));
    expect(text).not.toContain('{{');
  });
});

describe('a claim', () => {
  it('a claim takes the key under the account: named, without end, among its keys', async () => {
    const agent = await registered({ name: 'Scout', purpose: 'Guests', contact: 'ops@example.com' });
    const { status, body } = await claim({ claim_token: agent.claim_token, name: 'Our scout' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'agent',
      name: 'Our scout',
      last_four: agent.api_key.slice(-4),
      status: 'active',
      expires_at: null,
      claimed_at: iso(),
      purpose: 'Guests',
      contact: 'ops@example.com',
    });
    expect((await keysOf(account.liveKey)).map(({ id }) => id)).toContain(body.id);
    expect((await keysOf(account.testKey)).map(({ id }) => id)).not.toContain(body.id);
  });

  it('a claim works by the agent’s key in the place of the token, and keeps its name', async () => {
    const agent = await registered();
    const { body } = await claim({ agent_key: agent.api_key, expires_at: '2999-12-01T00:00:00Z' });
    expect(body).toMatchObject({ name: 'Scout', expires_at: '2999-12-01T00:00:00.000Z' });
  });

  it('a claim lets the key live on after its 30 days, with the free credits of each day', async () => {
    const local = await registered();
    await claim({ claim_token: local.claim_token });
    now += 31 * DAY_MS;
    const { status, body } = await call(service, '/api/v1/credits', { key: local.api_key });
    expect([status, body.data?.remaining]).toEqual([200, FREE]);
  });

  it('a claim makes its batches and lists visible to the account, and no batch of the account to the agent', async () => {
    const agent = await registered();
    const { id: before } = (await submit(agent, ['nobody'])).body.data;
    const path = `/api/v1/verify/batch/${before}`;
    expect((await call(service, path, { key: account.liveKey })).status).toBe(404);
    await claim({ claim_token: agent.claim_token });
    const { id: after } = (await submit(agent, ['nobody-else'])).body.data;
    const own = await call(service, '/api/v1/verify/batch', { key: account.liveKey, body: { emails: ['own'] } });
    await expect.poll(async () => (await call(service, path, { key: account.liveKey })).body.status).toBe('completed');

    const listed = (await call(service, '/api/v1/verify/batch', { key: account.liveKey })).body.batches;
    expect(new Set(listed.map(({ id }: { id: number }) => id))).toEqual(new Set([before, after, own.body.id]));
    const rows = await call(service, `${path}/results`, { key: account.liveKey });
    expect(rows.body.results[0]).toMatchObject({ email: 'nobody', verdict: 'invalid' });
    expect((await call(service, `/api/v1/lists/${before}`, { key: account.liveKey })).status).toBe(200);
    const foreign = await call(service, `/api/v1/verify/batch/${own.body.id}`, { key: agent.api_key });
    expect(foreign.body.code).toBe('batch_not_found');
    expect((await call(service, path, { key: account.testKey })).status).toBe(404);
    expect((await call(service, path, { key: account.liveKey, method: 'DELETE' })).status).toBe(200);
    expect((await call(service, path, { key: agent.api_key })).status).toBe(404);
  });

  it('a claim lets the account revoke the key', async () => {
    const agent = await registered();
    const { body } = await claim({ claim_token: agent.claim_token });
    const stranger = await createFullAccount({ url: service.env.databaseUrl });
    const path = `/api/v1/keys/${body.id}`;
    expect((await call(service, path, { key: stranger.liveKey, method: 'DELETE' })).status).toBe(404);
    expect((await call(service, path, { key: account.liveKey, method: 'DELETE' })).status).toBe(204);
    expect((await call(service, '/api/v1/credits', { key: agent.api_key })).body.code).toBe('key_revoked');
  });

  it('a claim stands in the account’s audit, and administrators see who has claimed the agent', async () => {
    const agent = await registered();
    const { body } = await claim({ claim_token: agent.claim_token });
    const audit = (await call(service, '/api/v1/audit', { key: account.liveKey })).body.entries;
    expect(audit[0]).toMatchObject({ act: 'agent.claim' });
    const all = (await call(service, '/admin/v1/audit', { key: adminKey })).body.entries;
    expect(all[0]).toMatchObject({ act: 'agent.claim', account_id: account.accountId, key_id: body.id });
    expect(JSON.stringify([audit, all])).not.toContain(agent.claim_token);
    const found = await call(service, `/admin/v1/agents?last_four=${agent.api_key.slice(-4)}`, { key: adminKey });
    expect(found.body.agents[0]).toMatchObject({ claimed_by: account.accountId, claimed_at: iso() });
  });

  it('a claim ends with the account’s suspension for as long as that lasts', async () => {
    const agent = await registered();
    await claim({ claim_token: agent.claim_token });
    const change = (what: string, body?: object) =>
      call(service, `/admin/v1/accounts/${account.accountId}/${what}`, { key: adminKey, method: 'POST', body });
    await change('suspend', { reason: 'unpaid' });
    expect((await call(service, '/api/v1/credits', { key: agent.api_key })).body.code).toBe('account_suspended');
    await change('resume');
    expect((await call(service, '/api/v1/credits', { key: agent.api_key })).status).toBe(200);
  });
});

describe('a claim is refused', () => {
  it('a claim is refused to the second of two at once, whose 409 says so, and to every later one', async () => {
    const agent = await registered();
    const other = await createFullAccount({ url: service.env.databaseUrl });
    const replies = await Promise.all(
      [account, other, account, other].map(({ liveKey }) => claim({ claim_token: agent.claim_token }, liveKey)),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
    expect(codeOf(await claim({ agent_key: agent.api_key }))).toEqual([409, 'already_claimed']);
    expect(codeOf(await claim({ claim_token: agent.claim_token }))).toEqual([409, 'already_claimed']);
  });

  it('a claim is refused to a test key, to the agent itself and to a suspended account', async () => {
    const agent = await registered();
    const body = { claim_token: agent.claim_token };
    expect(codeOf(await claim(body, account.testKey))).toEqual([403, 'live_key_required']);
    expect(codeOf(await claim(body, agent.api_key))).toEqual([403, 'full_account_required']);
    await onDatabase(service.env.databaseUrl, 'UPDATE accounts SET suspended_at = now() WHERE id = $1', [
      account.accountId,
    ]);
    expect(codeOf(await claim(body))).toEqual([403, 'account_suspended']);
  });

  it('a claim is refused for a token or a key that nobody has, of another kind, or older than 30 days', async () => {
    const agent = await registered();
    for (const body of [
      { claim_token: `${agent.claim_token.slice(0, -1)}!` },
      { claim_token: agent.api_key },
      { agent_key: agent.claim_token },
      { agent_key: account.liveKey },
    ])
      expect(codeOf(await claim(body))).toEqual([404, 'claim_not_found']);
    now += 30 * DAY_MS;
    expect(codeOf(await claim({ claim_token: agent.claim_token }))).toEqual([404, 'claim_not_found']);
  });

  it('a claim is refused for a key that has expired, is revoked or suspended', async () => {
    const expired = await registered();
    now += 30 * DAY_MS;
    expect(codeOf(await claim({ agent_key: expired.api_key }))).toEqual([409, 'key_not_claimable']);
    const revoked = await registered();
    await call(service, `/admin/v1/keys/${await idOf(revoked)}`, { key: adminKey, method: 'DELETE' });
    expect(codeOf(await claim({ claim_token: revoked.claim_token }))).toEqual([409, 'key_not_claimable']);
    const suspended = await registered();
    const sql = `UPDATE accounts SET suspended_at = now() WHERE id = (SELECT account_id FROM api_keys WHERE id = $1)`;
    await onDatabase(service.env.databaseUrl, sql, [await idOf(suspended)]);
    expect(codeOf(await claim({ claim_token: suspended.claim_token }))).toEqual([409, 'key_not_claimable']);
  });

  it('a claim is refused without a token, with both, and with a time that is past', async () => {
    const agent = await registered();
    const { claim_token, api_key: agent_key } = agent;
    for (const body of [{}, { claim_token, agent_key }, { claim_token, expires_at: '2020-01-01T00:00:00Z' }])
      expect(codeOf(await claim(body))).toEqual([422, 'invalid_input']);
  });
});

describe('an agent without credits', () => {
  it('an agent without credits is told over HTTP and MCP how its person lets it go on', async () => {
    const agent = await registered();
    expect((await submit(agent, MALFORMED)).status).toBe(201);
    const refused = await call(service, '/api/v1/verify', { key: agent.api_key, body: { email: 'one-more' } });
    expect([refused.status, refused.body.code]).toEqual([402, 'credits_insufficient']);
    expect(refused.body.claim_url).toBe(`${service.url}/claim`);
    const { result } = await callTool(service, 'verify_email', { email: 'one-more' }, { key: agent.api_key });
    expect(result).toMatchObject({ code: 'credits_insufficient', claim_url: `${service.url}/claim` });
    expect(result.next_step).toContain(`tell the person you work for: "`);
    expect(result.next_step).toContain(`Open ${service.url}/claim and claim me with the claim_token`);
  });
});
