import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { call, register, type Reply } from '../support/call.js';
import { makeScopedKey } from '../support/scoped-keys.js';
import { startService, type TestService } from '../support/service.js';
import { makeThing, type ThingName } from '../support/things.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';

let service: TestService;
let sink: WebhookSink;
let account: FullAccount;
let ahead = 0;
const clock = { now: () => Date.now() + ahead };

beforeAll(async () => {
  sink = await startWebhookSink();
  service = await startService({ env: TO_LOOPBACK, clock, timer: SYSTEM_TIMER });
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(async () => {
  await service.close();
  await sink.close();
});

/** 16 MB of rows: more than sockets hold for a reader who does not read. All have one address, which is verified once. */
const UNREAD = Array.from({ length: 40_000 }, () => 'jane@example.com');

type Line = Reply['body'];
const ask = (path: string, options: Parameters<typeof call>[2] = {}) =>
  call(service, path, { key: account.testKey, ...options });
const text = async (path: string, key = account.testKey): Promise<string> =>
  (await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })).text();

/** No export of the account is under way any more, in any process. */
async function free(): Promise<void> {
  const name = `export of ${account.accountId}`;
  const sql = `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free`;
  await expect
    .poll(async () => (await onDatabase(service.env.databaseUrl, sql, [name]))[0]!.free, {
      interval: 5,
    })
    .toBe(true);
}

const headOf = (path: string) =>
  fetch(service.url + path, { method: 'HEAD', headers: { authorization: `Bearer ${account.testKey}` } });

describe('an export', () => {
  it('an export has all that the account has in the mode of the key, once, and nothing of another mode or account', async () => {
    const other = await createFullAccount({ url: service.env.databaseUrl });
    const names: readonly ThingName[] = ['batch', 'people', 'key', 'delivery', 'suppression', 'erasure'];
    const made = new Map<string, string>();
    for (const name of names) {
      made.set(name, (await makeThing({ service, sink, account }, name, 'test', 'mine')).id);
      if (['delivery', 'suppression', 'erasure'].includes(name))
        await makeThing({ service, sink, account }, name, 'live', 'of-live');
      await makeThing({ service, sink, account: other }, name, 'test', 'foreign');
    }
    const headers = { 'content-type': 'text/csv' };
    const body = 'email;name\njane@example.com;Jane\njohn+invalid@example.com;John\n';
    const auth = { ...headers, authorization: `Bearer ${account.testKey}` };
    const sent = await fetch(`${service.url}/api/v1/verify/batch`, { method: 'POST', headers: auth, body });
    const { id } = (await sent.json()) as { id: number };
    await bodyOnce(() => ask(`/api/v1/verify/batch/${id}`), isCompleted);

    const lines: Line[] = (await ask('/api/v1/export')).body;
    const ofType = (type: string) => lines.filter((line) => line.type === type);
    expect(lines.at(-1)).toEqual({ type: 'end', lines: lines.length - 1 });
    expect(lines[0]).toMatchObject({ type: 'account', id: account.accountId, mode: 'test' });
    expect(ofType('key').map(({ id: one }) => one)).toContain(made.get('key'));
    expect(ofType('batch').map((line) => [line.kind, String(line.id)])).toEqual([
      ['verify', String(id)],
      ['verify', made.get('batch')],
      ['find', made.get('people')],
    ]);
    const rows = ofType('row').filter(({ batch_id }) => batch_id === id);
    expect(rows.map(({ number, email, verdict, columns }) => [number, email, verdict, columns])).toEqual([
      [1, 'jane@example.com', 'valid', { name: 'Jane' }],
      [2, 'john+invalid@example.com', 'invalid', { name: 'John' }],
    ]);
    expect(ofType('delivery').map(({ id: one }) => one)).toContain(made.get('delivery'));
    expect(ofType('suppression').map(({ id: one }) => one)).toEqual([made.get('suppression')]);
    expect(ofType('erasure').map(({ id: one }) => one)).toEqual([made.get('erasure')]);
    expect(ofType('usage').reduce((sum, { items }) => sum + items, 0)).toBe(4);
    expect(ofType('audit_entry').map(({ act }) => act)).toContain('key.create');
    const chosen = { reuse: true, report_in_verify: false, retention_days: 30, retry_window_seconds: 900 };
    expect(ofType('settings')).toEqual([{ type: 'settings', ...chosen }]);
    const all = JSON.stringify(lines);
    expect(all).not.toMatch(/ms_(live|test|agent)_|whsec_|of-live|foreign/);
    expect(all).not.toContain(other.accountId);
  });

  it('an export has the ledger for a live key, and the agents that were claimed with their batches', async () => {
    const agent = await call(service, '/agent-gateway/register', { body: { name: 'Scout', purpose: 'Newsletters' } });
    await ask('/api/v1/claims', { key: account.liveKey, body: { claim_token: agent.body.claim_token } });
    const key = agent.body.api_key as string;
    const { body } = await call(service, '/api/v1/verify/batch', { key, body: { emails: ['no address'] } });
    await register(service);
    const lines: Line[] = (await ask('/api/v1/export', { key: account.liveKey })).body;
    expect(lines.filter(({ type }) => type === 'ledger_entry')).toHaveLength(1);
    expect(lines.filter(({ type }) => type === 'agent')).toMatchObject([{ name: 'Scout', purpose: 'Newsletters' }]);
    expect(lines.filter(({ type }) => type === 'batch').map(({ id }) => id)).toEqual([body.data.id]);
    const ofTest = JSON.stringify((await ask('/api/v1/export')).body);
    expect(ofTest).not.toMatch(/"type":"agent"|Scout|Newsletters/);
  });

  it('an export has every row of every listing that is longer than a page', async () => {
    const sha256 = Array.from({ length: 250 }, (_, i) => i.toString(16).padStart(64, '0'));
    await ask('/api/v1/suppressions', { body: { sha256 } });
    await onDatabase(
      service.env.databaseUrl,
      `INSERT INTO erasures (account_id, simulated, suppressed, state, created_at, due_at, finished_at)
       SELECT $1, true, false, 'done', date_trunc('milliseconds', now()), now(), now() FROM generate_series(1, 250)`,
      [account.accountId],
    );
    const lines: Line[] = (await ask('/api/v1/export')).body;
    expect(new Set(lines.flatMap(({ type, id }) => (type === 'erasure' ? [id] : []))).size).toBe(250);
    const ids = lines.flatMap(({ type, id }) => (type === 'suppression' ? [id] : []));
    expect(new Set(ids)).toEqual(new Set(sha256));
    expect(ids).toHaveLength(sha256.length);
  });

  it('an export that its reader leaves in the middle holds up nobody', async () => {
    const { body } = await ask('/api/v1/verify/batch', { body: { emails: UNREAD.slice(0, 3_000) } });
    await bodyOnce(() => ask(`/api/v1/verify/batch/${body.id}`), isCompleted);
    for (let i = 0; i < 30; i++) {
      const stopped = new AbortController();
      const headers = { authorization: `Bearer ${account.testKey}` };
      const response = await fetch(`${service.url}/api/v1/export`, { headers, signal: stopped.signal });
      expect(response.status).toBe(200);
      await response.body!.getReader().read();
      stopped.abort();
      await free();
    }
    expect((await ask('/api/v1/export')).body.at(-1).type).toBe('end');
  });

  it('an export is the only one of its account at a time, whatever the key, and no other account waits for it', async () => {
    const { body } = await ask('/api/v1/verify/batch', { body: { emails: UNREAD } });
    await bodyOnce(() => ask(`/api/v1/verify/batch/${body.id}`), isCompleted);
    const headers = { authorization: `Bearer ${account.testKey}` };
    const { body: file } = await fetch(`${service.url}/api/v1/export`, { headers });
    const reader = file!.getReader();
    await reader.read();
    for (const key of [account.testKey, account.liveKey]) {
      const refused = await ask('/api/v1/export', { key });
      expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
        409,
        'export_in_progress',
        '10',
      ]);
    }
    expect((await headOf('/api/v1/export')).status).toBe(200);
    const other = await createFullAccount({ url: service.env.databaseUrl });
    expect((await ask('/api/v1/export', { key: other.testKey })).status).toBe(200);
    while (!(await reader.read()).done);
    expect((await ask('/api/v1/export')).body.at(-1).type).toBe('end');
  });

  it('an export that nobody reads any more before its first byte gives its turn back', async () => {
    const { hostname, port } = new URL(service.url);
    for (let i = 0; i < 20; i++) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(`GET /api/v1/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.testKey}\r\n\r\n`);
      socket.resetAndDestroy();
    }
    await free();
  });

  it('an export ends in the middle when its key is revoked meanwhile', async () => {
    const { body } = await ask('/api/v1/verify/batch', { body: { emails: UNREAD } });
    await bodyOnce(() => ask(`/api/v1/verify/batch/${body.id}`), isCompleted);
    const { body: made } = await ask('/api/v1/keys', { body: { kind: 'test' } });
    const headers = { authorization: `Bearer ${made.api_key}` };
    const { body: file } = await fetch(`${service.url}/api/v1/export`, { headers });
    const reader = file!.getReader();
    await reader.read();
    await ask(`/api/v1/keys/${made.id}`, { method: 'DELETE' });
    ahead += 15_000;
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow('terminated');
  });

  it('an export is refused to a key that lacks any of what it shows', async () => {
    const key = await makeScopedKey(service, account.testKey, { kind: 'test', permissions: ['results', 'batches'] });
    const { status, body } = await ask('/api/v1/export', { key });
    expect([status, body.code, body.permission]).toEqual([403, 'permission_missing', 'lists']);
  });
});

describe('HEAD of a file', () => {
  it.each(['/api/v1/export', '/api/v1/audit?format=csv', '/api/v1/audit?format=ndjson'])(
    'HEAD of a file has the headers of GET and no body: %s',
    async (path) => {
      const headers = { authorization: `Bearer ${account.testKey}` };
      const [get, head] = [await fetch(service.url + path, { headers }), await headOf(path)];
      const shown = ({ headers: all }: Response) =>
        ['content-type', 'content-disposition'].map((name) => all.get(name));
      expect([head.status, shown(head), await head.text()]).toEqual([200, shown(get), '']);
      await get.text();
    },
  );

  it('HEAD of a file gives its permit back', async () => {
    for (let i = 0; i < 30; i++) expect((await headOf('/api/v1/export')).status).toBe(200);
  });
});

describe('the audit log as a file', () => {
  const NAME = '=cmd|"quoted", and\nmore';

  it('the audit log as a file has all entries of the mode as NDJSON and as CSV, whose cells no spreadsheet runs', async () => {
    for (let i = 0; i < 120; i++)
      await ask('/api/v1/suppression-settings', { method: 'PATCH', body: { report_in_verify: i % 2 === 0 } });
    const named = await ask('/api/v1/keys', { body: { kind: 'test', name: NAME } });
    await ask('/api/v1/keys', { key: named.body.api_key, body: { kind: 'test' } });
    const all = (await ask('/api/v1/audit?format=ndjson')).body as Line[];
    expect(all).toHaveLength(122);
    expect((await ask('/api/v1/audit?limit=100')).body.entries).toEqual(all.slice(0, 100));
    const csv = await text('/api/v1/audit?format=csv');
    expect(csv.split('\r\n')[0]).toBe('id,at,actor_key_id,actor_name,from,act,key_id,details');
    expect(csv).toContain(`"'=cmd|""quoted"", and\nmore"`);
    expect(csv.split('\r\n')).toHaveLength(124);
  });

  it('the audit log as a file is for administrators too, of one account or of all', async () => {
    await ask('/api/v1/keys', { body: { kind: 'test', name: 'one' } });
    const key = await createAdminKey(service);
    const path = `/admin/v1/audit?account_id=${account.accountId}`;
    const entries: Line[] = (await call(service, `${path}&format=ndjson`, { key })).body;
    expect(entries).toEqual((await call(service, path, { key })).body.entries);
    const csv = (await text(`${path}&format=csv`, key)).split('\r\n');
    expect(csv[0]).toBe('id,at,actor_key_id,actor_name,from,act,key_id,details,account_id,mode');
    expect(csv[1]!.endsWith(`,${account.accountId},test`)).toBe(true);
  });

  it.each(['limit=5', 'cursor=x'])('the audit log as a file has no pages: %s is 422', async (query) => {
    const { status, body } = await ask(`/api/v1/audit?format=csv&${query}`);
    expect([status, body.code]).toEqual([422, 'invalid_input']);
  });
});
