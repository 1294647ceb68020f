import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/admin/run-program.js';
import { createAdminClient } from '../../src/client/client.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, tablesWith } from '../support/batches.js';
import { call, type Call, register } from '../support/call.js';
import { runCommand } from '../support/command.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';

let database: TestDatabase;
let service: ServiceProcess;
let account: FullAccount;
let adminKey = '';

beforeAll(async () => {
  database = await createTestDatabase();
  account = await createFullAccount(database);
  // A process of its own, so that all that it logs can be read.
  const SECRETS_KEY = '11'.repeat(32);
  const variables = { DATABASE_URL: database.url, REDIS_URL: (await testRedis()).url, SECRETS_KEY, LOG_LEVEL: 'debug' };
  service = await startProcess(variables);
  const argv = ['create-key', '--name', 'alice', '--json'];
  const { stdout } = await runCommand('src/cli/admin.js', argv, { DATABASE_URL: database.url });
  adminKey = JSON.parse(stdout).api_key;
});

afterAll(async () => {
  service.kill('SIGKILL');
  await service.ended;
  await database.drop();
});

const admin = (path: string, options: Call = {}) => call(service, `/admin/v1${path}`, { key: adminKey, ...options });
const search = async (text: string) => (await admin(`/search?q=${encodeURIComponent(text)}`)).body;

async function command(...argv: string[]) {
  const { exit, out, error } = await typed(...argv, '--json');
  return { exit, error, reply: out === '' ? null : JSON.parse(out) };
}

/** As a person sees it, without a process for each command, which would take a second of CPU to load. */
async function typed(...argv: string[]) {
  let [out, error] = ['', ''];
  const api = createAdminClient({ baseUrl: service.url, apiKey: adminKey });
  const connect = () => Promise.resolve({ url: service.url, api });
  const open = () => Promise.reject(new Error('No command here works on the database.'));
  const terminal = { out: (text: string) => void (out += text), error: (text: string) => void (error += text) };
  return { exit: await runProgram(argv, { connect, open }, terminal), out, error };
}

describe('the search of administrators', () => {
  it('the search of administrators finds the key of a token, alone or in a line of a log, and whose it is, over HTTP and by the command line', async () => {
    const line = `09:12:07 curl -H "Authorization: Bearer ${account.liveKey}" https://api.example.com`;
    const expected = {
      type: 'key',
      matched_by: 'token',
      account: { id: account.accountId, name: 'Test account', plan: 'scale' },
      key: { kind: 'live', last_four: account.liveKey.slice(-4), status: 'active' },
      batch: null,
      agent: null,
    };
    for (const text of [account.liveKey, line]) {
      const { matches, more } = await search(text);
      expect([matches, more]).toMatchObject([[expected], false]);
      expect((await command('search', text)).reply).toMatchObject({ matches: [expected], more: false });
    }
    const { body } = await admin('/keys/lookup', { body: { token: account.liveKey } });
    expect(body).toMatchObject(expected);
    expect((await command('keys', 'lookup', account.liveKey)).reply).toMatchObject(expected);
    expect((await admin(`/keys/${body.key.id}`)).body).toEqual({ ...body, matched_by: 'id' });
    expect((await typed('keys', 'show', body.key.id)).out).toMatch(/^key\nid +[\da-f-]{36}\n[^]+\naccount\nid +/);
  });

  it('the search of administrators finds the agent that was given the token of a claim, also when it has run out, and stores and logs no token', async () => {
    const { body: agent } = await call(service, '/agent-gateway/register', { body: { name: 'Claimable' } });
    await onDatabase(database.url, "UPDATE agent_registrations SET claim_expires_at = now() - interval '1 day'");
    const expected = {
      type: 'key',
      matched_by: 'token',
      account: { kind: 'agent' },
      key: { kind: 'agent', last_four: agent.api_key.slice(-4) },
      agent: { name: 'Claimable' },
    };
    for (const text of [agent.claim_token, `claim_token=${agent.claim_token} was refused`])
      expect(await search(text)).toMatchObject({ matches: [expected], more: false });
    expect((await admin('/keys/lookup', { body: { token: agent.claim_token } })).body).toMatchObject(expected);
    expect((await search(agent.claim_token.slice(0, -1))).matches).toEqual([]);
    expect(await tablesWith(database.url, agent.claim_token)).toEqual([]);
  });

  it('the search of administrators gives links that lead on', async () => {
    const [{ links }] = (await search(account.testKey)).matches;
    const batch = await sendBatch();
    const found = (await search(String(batch))).matches[0];
    for (const [name, path] of Object.entries({ ...links, batch: found.links.batch }) as [string, string][])
      expect((await call(service, path, { key: adminKey })).status, name).toBe(200);
  });

  it('the search of administrators knows ids of accounts, keys and batches', async () => {
    const [{ key }] = (await search(account.testKey)).matches;
    expect((await search(account.accountId)).matches).toMatchObject([{ type: 'account', matched_by: 'id' }]);
    expect((await search(key.id)).matches).toMatchObject([{ type: 'key', account: { id: account.accountId } }]);
    const id = await sendBatch();
    expect((await search(String(id))).matches[0]).toMatchObject({
      type: 'batch',
      matched_by: 'id',
      account: { id: account.accountId },
      batch: { id, key_id: key.id, test: true },
    });
    expect((await command('batches', 'show', String(id))).reply).toMatchObject({ id, account_id: account.accountId });
    expect((await admin('/batches/999999')).body.code).toBe('batch_not_found');
  });

  it('the search of administrators knows the last four of a token, revoked ones too, and admin keys', async () => {
    const [{ key }] = (await search(account.liveKey)).matches;
    const { matches } = await search(key.last_four);
    expect(matches.map((match: { key: { id: string } | null }) => match.key?.id)).toContain(key.id);
    const [own] = (await search(adminKey.slice(-4))).matches;
    expect(own).toMatchObject({ type: 'key', account: null, key: { kind: 'admin', name: 'alice' } });
    expect(own.links).toEqual({ ...NO_LINKS, key: `/admin/v1/keys/${own.key.id}` });
  });

  it('the search of administrators knows the address that an agent registered from, its contact and its name, and the name of an account', async () => {
    const token = await register(service);
    const contact = 'ops@crawler.example';
    await call(service, '/agent-gateway/register', { body: { name: 'Night crawler', contact } });
    for (const [text, by] of [
      ['127.0.0.1', 'address'],
      ['127.0.0.0/8', 'address'],
      ['OPS@crawler', 'text'],
      ['night', 'text'],
    ] as const) {
      const found = (await search(text)).matches;
      expect(found, text).toContainEqual(expect.objectContaining({ matched_by: by, type: 'account' }));
      expect(found.map((match: { agent: { contact: string } }) => match.agent.contact)).toContain(contact);
    }
    expect((await search(token)).matches).toMatchObject([{ account: { kind: 'agent' }, agent: { contact: null } }]);
    expect((await search('test ACC')).matches).toMatchObject([{ type: 'account', matched_by: 'text' }]);
    expect((await typed('search', 'test acc')).out).toMatch(/^found +by +id [^\n]+\naccount +text +[\da-f-]{36} /);
  });

  it('the search of administrators says when there is more than it shows', async () => {
    const crowd = (from: number, to: number) =>
      onDatabase(
        database.url,
        `INSERT INTO accounts (kind, policy, name, created_at)
         SELECT 'full', 'free', 'Crowd ' || i, now() FROM generate_series($1::integer, $2) i`,
        [from, to],
      );
    await crowd(1, 20);
    expect(await search('crowd')).toMatchObject({ matches: { length: 20 }, more: false });
    await crowd(21, 21);
    expect(await search('crowd')).toMatchObject({ matches: { length: 20 }, more: true });
    expect((await typed('search', 'crowd')).out).toContain('There are more');
  });

  it('the search of administrators finds nothing for what is nobody’s, a token that is cut off too', async () => {
    for (const text of ['nobody has this', account.liveKey.slice(0, -1), '999999', '192.0.2.1', ' ', NOBODY])
      expect(await search(text), text).toEqual({ matches: [], more: false });
    const { body } = await admin('/keys/lookup', { body: { token: account.liveKey.slice(0, -1) } });
    expect(body.code).toBe('key_not_found');
    expect((await command('keys', 'lookup', 'ms_live_nonsense')).exit).toBe(1);
  });

  it('the search of administrators keeps and logs a token nowhere, whole or cut', async () => {
    const stranger = (await createFullAccount(database)).liveKey;
    const cut = stranger.slice(0, 30);
    for (const text of [stranger, cut]) {
      await search(text);
      await admin('/keys/lookup', { body: { token: text }, headers: { 'idempotency-key': `lookup-${text.length}` } });
      await admin(`/search?q=${text}&nonsense=1`);
      await admin(`/searching?q=${text}`);
      await admin(`/search?q=${text}${'x'.repeat(600)}`);
    }
    const secret = stranger.slice('ms_live_'.length, 30);
    const tables = await onDatabase(
      database.url,
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables as { name: string }[]) {
      const rows = await onDatabase(database.url, `SELECT t::text FROM "${name}" t`);
      expect(JSON.stringify(rows), name).not.toContain(secret);
    }
    expect(service.output()).toContain('/admin/v1/search');
    expect(service.output()).not.toContain(secret);
  });
});

describe('an account’s page', () => {
  it('an account’s page has the plan, the balance, and the newest keys, batches, webhooks, ledger entries and acts', async () => {
    const key = account.liveKey;
    await call(service, '/api/v1/webhooks', { key, body: { url: 'https://hooks.example.com/' } });
    await call(service, '/api/v1/keys', { key, body: { kind: 'test', name: 'Shop' } });
    const batch = await sendBatch();
    const reason = { reason: 'invoice 7' };
    await admin(`/accounts/${account.accountId}/credits/grant`, { body: { amount: 5, ...reason } });
    const { body } = await admin(`/accounts/${account.accountId}`);
    expect(body).toMatchObject({ plan: 'scale', status: 'active', credits: { remaining: 1005 }, agent: null });
    expect(body.keys[0]).toMatchObject({ name: 'Shop', kind: 'test' });
    const used = body.keys.find((one: { last_four: string }) => one.last_four === key.slice(-4));
    expect(used).toMatchObject({ kind: 'live', status: 'active' });
    expect(body.batches[0]).toMatchObject({ id: batch, test: true });
    expect(body.webhooks).toMatchObject([{ url: 'https://hooks.example.com/', mode: 'live', enabled: true }]);
    expect(body.ledger[0]).toMatchObject({ kind: 'grant', amount: 5, what_for: 'invoice 7', balance_after: 1005 });
    expect(body.audit.map(({ act }: { act: string }) => act)).toEqual([
      'credits.grant',
      'key.create',
      'webhook.create',
    ]);
    const { out } = await typed('accounts', 'show', account.accountId);
    expect(out).toMatch(/^credits_remaining +1005$/m);
    for (const title of ['Keys', 'Batches', 'Webhooks', 'Ledger', 'Audit'])
      expect(out).toMatch(new RegExp(`^${title}\\n\\w`, 'm'));
    expect(out).not.toContain('{');
    const told = (await command('accounts', 'show', account.accountId)).reply;
    expect(told).toEqual((await admin(`/accounts/${account.accountId}`)).body);
  });

  it('an account’s page of an agent has what it told of itself', async () => {
    const token = await register(service);
    const { body: found } = await admin('/keys/lookup', { body: { token } });
    const { body } = await call(service, found.links.account, { key: adminKey });
    expect(body).toMatchObject({ kind: 'agent', credits: null, agent: { client_address: '127.0.0.1' }, ledger: [] });
    expect((await typed('accounts', 'show', body.id)).out).toMatch(/^registered_from +127\.0\.0\.1$/m);
  });

  it('an account’s page goes on in a ledger and an audit log by cursor', async () => {
    const path = `/accounts/${account.accountId}`;
    for (const amount of [1, 2]) await admin(`${path}/credits/grant`, { body: { amount, reason: 'goodwill' } });
    for (const [list, name] of [
      ['ledger', 'amount'],
      ['audit', 'id'],
    ] as const) {
      const first = (await admin(`${path}/${list}?limit=1`)).body;
      const second = (await admin(`${path}/${list}?limit=1&cursor=${first.next_cursor}`)).body;
      const both = (await admin(`${path}/${list}?limit=2`)).body.entries;
      expect([...first.entries, ...second.entries].map((one) => one[name])).toEqual(
        both.map((one: Record<string, unknown>) => one[name]),
      );
      expect((await admin(`/accounts/${NOBODY}/${list}`)).body.code).toBe('account_not_found');
    }
    const { reply } = await command('accounts', 'ledger', account.accountId, '--limit', '2');
    expect(reply.entries).toMatchObject([{ amount: 2 }, { amount: 1 }]);
  });

  it('an account’s page carries a contact and a note, which no key of the account sees and the audit log does not hold', async () => {
    const given = { contact_email: 'billing@customer.example', note: 'asks for a discount' };
    const { body: made } = await admin('/accounts', { body: { name: 'Noted Ltd', ...given } });
    expect(made).toMatchObject(given);
    expect((await search('BILLING@customer')).matches).toMatchObject([{ type: 'account', account: { id: made.id } }]);
    const changed = await admin(`/accounts/${made.id}`, { method: 'PATCH', body: { note: null, plan: 'pro' } });
    expect(changed.body).toMatchObject({ contact_email: given.contact_email, note: null, plan: 'pro' });
    const argv = ['accounts', 'change', made.id, '--note', 'paid', '--contact-email', ''];
    expect((await command(...argv)).reply).toMatchObject({ contact_email: null, note: 'paid', plan: 'pro' });
    for (const body of [{ contact_email: 'nobody' }, { note: 'x'.repeat(2001) }])
      expect((await admin(`/accounts/${made.id}`, { method: 'PATCH', body })).body.code).toBe('invalid_input');
    const { entries } = (await admin(`/accounts/${made.id}/audit`)).body;
    expect(entries.map(({ act, details }: { act: string; details: object }) => [act, details])).toEqual([
      ['account.describe', { changed: ['contactEmail', 'note'] }],
      ['account.describe', { changed: ['note'] }],
      ['account.change_plan', { from: 'free', to: 'pro' }],
      ['account.create', { name: 'Noted Ltd', plan: 'free', granted: 100 }],
    ]);
  });
});

describe('an administrator’s five minutes', () => {
  const doors: Record<string, Door> = {
    'over HTTP': {
      lookUp: async (token) => (await admin('/keys/lookup', { body: { token } })).body,
      show: async (id) => (await admin(`/accounts/${id}`)).body,
      revoke: async (id) => void (await admin(`/keys/${id}`, { method: 'DELETE' })),
      create: async (id) => (await admin(`/accounts/${id}/keys`, { body: { name: 'new' } })).body,
      audit: async (id) => (await admin(`/accounts/${id}/audit?limit=3`)).body,
    },
    'by the command line': {
      lookUp: async (token) => (await command('keys', 'lookup', token)).reply,
      show: async (id) => (await command('accounts', 'show', id)).reply,
      revoke: async (id) => void (await command('keys', 'revoke', id)),
      create: async (id) => (await command('keys', 'create', id, '--name', 'new')).reply,
      audit: async (id) => (await command('audit', '--account', id, '--limit', '3')).reply,
    },
  };

  it.each(Object.keys(doors))(
    'an administrator’s five minutes lead from a token in a log to its owner, its last acts, its revocation and a new key, each on record, %s',
    async (name) => {
      const { lookUp, show, revoke, create, audit } = doors[name]!;
      const { accountId, liveKey } = await createFullAccount(database);
      await call(service, '/api/v1/keys', { key: liveKey, body: { name: 'made by a thief' } });

      const found = await lookUp(liveKey);
      expect(found.account.id).toBe(accountId);
      const page = await show(found.account.id);
      expect(page.audit).toMatchObject([{ act: 'key.create', actor: { key_id: found.key.id }, from: '127.0.0.1' }]);
      await revoke(found.key.id);
      await revoke(page.audit[0].key_id);
      const made = await create(accountId);
      // A revocation by the command line is known within half a second, the life of a cached key.
      await expect.poll(() => codeOf(liveKey)).toBe('key_revoked');
      expect(await codeOf(made.api_key)).toBeUndefined();
      const { entries } = await audit(accountId);
      // What the account is told of an act that was done over HTTP is an entry of its own.
      const own = (entries as { actor: { name: string } }[]).filter(({ actor }) => actor.name !== 'administrator');
      expect(own.slice(0, 2)).toMatchObject([
        { act: 'key.create', key_id: made.id },
        { act: 'key.revoke', key_id: page.audit[0].key_id },
      ]);
    },
  );

  const codeOf = async (key: string) => (await call(service, '/api/v1/credits', { key })).body.code;
});

/** What the five minutes ask for; bodies as JSON. */
// oxlint-disable-next-line typescript/no-explicit-any
type Door = Record<'lookUp' | 'show' | 'revoke' | 'create' | 'audit', (given: string) => Promise<any>>;

const NOBODY = '00000000-0000-4000-8000-000000000000';
const NO_LINKS = { account: null, keys: null, audit: null, batches: null, key: null, batch: null };

async function sendBatch(): Promise<number> {
  const { body } = await call(service, '/api/v1/verify/batch', {
    key: account.testKey,
    body: { emails: ['valid@example.com'] },
  });
  return body.id;
}
