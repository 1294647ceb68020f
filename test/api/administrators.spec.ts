import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdministration } from '../../src/admin/administration.js';
import { runProgram } from '../../src/cli/admin/run-program.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, type Call, register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';

let database: TestDatabase;
let service: ServiceProcess;
let account: FullAccount;
let adminKey: string;

beforeAll(async () => {
  database = await createTestDatabase();
  account = await createFullAccount(database);
  // A process of its own, so that all that it logs can be read.
  const SECRETS_KEY = '11'.repeat(32);
  const variables = { DATABASE_URL: database.url, REDIS_URL: (await testRedis()).url, SECRETS_KEY, LOG_LEVEL: 'debug' };
  service = await startProcess(variables);
  adminKey = (await command('create-key', '--name', 'alice')).reply.api_key;
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

/** As a person sees it. */
async function typed(...argv: string[]) {
  let [out, error] = ['', ''];
  const open = () => openAdministration(loadEnv({}), database.url, false);
  const exit = await runProgram(argv, open, { out: (text) => (out += text), error: (text) => (error += text) });
  return { exit, out, error };
}

describe('the search of administrators', () => {
  it('finds the key of a token, alone or in a line of a log, and whose it is, over HTTP and by the command line', async () => {
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

  it('gives links that lead on', async () => {
    const [{ links }] = (await search(account.testKey)).matches;
    const batch = await sendBatch();
    const found = (await search(String(batch))).matches[0];
    for (const [name, path] of Object.entries({ ...links, batch: found.links.batch }) as [string, string][])
      expect((await call(service, path, { key: adminKey })).status, name).toBe(200);
  });

  it('knows ids of accounts, keys and batches', async () => {
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

  it('knows the last four of a token, revoked ones too, and admin keys', async () => {
    const [{ key }] = (await search(account.liveKey)).matches;
    const { matches } = await search(key.last_four);
    expect(matches.map((match: { key: { id: string } | null }) => match.key?.id)).toContain(key.id);
    const [own] = (await search(adminKey.slice(-4))).matches;
    expect(own).toMatchObject({ type: 'key', account: null, key: { kind: 'admin', name: 'alice' } });
    expect(own.links).toEqual({ ...NO_LINKS, key: `/admin/v1/keys/${own.key.id}` });
  });

  it('knows the address that an agent registered from, its contact and its name, and the name of an account', async () => {
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
    expect((await search('test ACC')).matches).toMatchObject([{ type: 'account', matched_by: 'name' }]);
    expect((await typed('search', 'test acc')).out).toMatch(/^found +by +id [^\n]+\naccount +name +[\da-f-]{36} /);
  });

  it('says when there is more than it shows', async () => {
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

  it('finds nothing for what is nobody’s, a token that is cut off too', async () => {
    for (const text of ['nobody has this', account.liveKey.slice(0, -1), '999999', '192.0.2.1', ' ', NOBODY])
      expect(await search(text), text).toEqual({ matches: [], more: false });
    const { body } = await admin('/keys/lookup', { body: { token: account.liveKey.slice(0, -1) } });
    expect(body.code).toBe('key_not_found');
    expect((await command('keys', 'lookup', 'ms_live_nonsense')).exit).toBe(1);
  });

  it('keeps and logs a token nowhere, whole or cut', async () => {
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

const NOBODY = '00000000-0000-4000-8000-000000000000';
const NO_LINKS = { account: null, keys: null, audit: null, batches: null, key: null, batch: null };

async function sendBatch(): Promise<number> {
  const { body } = await call(service, '/api/v1/verify/batch', {
    key: account.testKey,
    body: { emails: ['valid@example.com'] },
  });
  return body.id;
}
