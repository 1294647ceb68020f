import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateToken, hashToken } from '../../src/keys/access/token.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { nextLook } from '../support/next-look.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const JANE = sha256('jane.doe@example.com');

let service: TestService;
let account: FullAccount;
let adminKey: string;

beforeAll(async () => {
  service = await startService();
  adminKey = generateToken('admin');
  await service.app
    .get(DataSource)
    .query("INSERT INTO api_keys (kind, token_hash, last_four, created_at) VALUES ('admin', $1, $2, now())", [
      hashToken(adminKey),
      adminKey.slice(-4),
    ]);
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(() => service.close());

const path = '/api/v1/suppressions';
const ask = (method: string, at: string, body?: unknown, key = account.liveKey) =>
  call(service, at, { key, method, ...(body !== undefined && { body }) });
const ids = async (key = account.liveKey) =>
  ((await ask('GET', path, undefined, key)).body.suppressions as { id: string }[]).map(({ id }) => id);

describe('the suppression list of an account', () => {
  it('the suppression list of an account keeps hashes of addresses in lower case and without their tags, each once', async () => {
    const emails = ['Jane.Doe@Example.com', 'jane.doe+x@example.com', 'jürgen@bücher.example'];
    const first = await ask('POST', path, { emails, reason: 'asked by letter' });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ added: 2, suppressions: [{ reason: 'asked by letter' }, {}] });
    expect((await ids()).sort()).toEqual([JANE, sha256('jürgen@xn--bcher-kva.example')].sort());
    const again = await ask('POST', path, { email: 'jane.doe@example.com', reason: 'another' });
    expect(again.body).toEqual({
      added: 0,
      suppressions: [{ id: JANE, reason: 'asked by letter', created_at: expect.any(String) }],
    });
    const rows = await service.app.get(DataSource).query('SELECT * FROM suppressions');
    expect(JSON.stringify(rows)).not.toMatch(/jane|example/i);
  });

  it('the suppression list of an account takes hashes as well, and is asked by address or by hash', async () => {
    await ask('POST', path, { sha256: [JANE.toUpperCase()] });
    for (const id of [JANE, 'jane.doe@example.com', encodeURIComponent('Jane.Doe+a@example.com')])
      expect((await ask('GET', `${path}/${id}`)).body.id).toBe(JANE);
    expect((await ask('DELETE', `${path}/${JANE}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await ask(method, `${path}/${JANE}`);
      expect([status, body.code]).toEqual([404, 'suppression_not_found']);
    }
  });

  it('the suppression list of an account is asked by an address of the greatest length too, however it is encoded in the path', async () => {
    const [long, short] = [`${'jané'.repeat(12)}@${`${'a'.repeat(60)}.`.repeat(3)}example`, 'a@example.com'];
    await ask('POST', path, { emails: [long, short] });
    const everyByte = (text: string) =>
      [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    expect(everyByte(long).length).toBeGreaterThan(700);
    for (const id of [encodeURIComponent(long), everyByte(long)])
      expect((await ask('GET', `${path}/${id}`)).status).toBe(200);
    expect((await ask('DELETE', `${path}/${encodeURIComponent(long)}`)).status).toBe(204);
    expect((await ask('GET', `${path}/${'a'.repeat(1_001)}`)).body.code).toBe('suppression_not_found');
  });

  it('the suppression list of an account is read by pages', async () => {
    await ask('POST', path, { emails: Array.from({ length: 5 }, (_, i) => `p${i}@example.com`) });
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await ask('GET', `${path}?limit=2${cursor}`);
      seen.push(...body.suppressions.map(({ id }: { id: string }) => id));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(new Set(seen).size).toBe(5);
  });

  it.each([
    ['email', {}],
    ['email', { email: 'no address' }],
    ['emails[1]', { emails: ['a@example.com', 'b'] }],
    ['emails', { emails: [] }],
    ['emails', { emails: [7] }],
    ['sha256', { sha256: ['abc'] }],
    ['reason', { email: 'a@example.com', reason: 'x'.repeat(501) }],
  ])('the suppression list of an account refuses input where %s is wrong (%#)', async (field, body) => {
    const reply = await ask('POST', path, body);
    expect(reply.status).toBe(422);
    expect(reply.body.fields[0].field).toBe(field);
    expect(await ids()).toEqual([]);
  });

  it('the suppression list of an account is another one for test keys and for other accounts, and none for agents', async () => {
    await ask('POST', path, { email: 'jane.doe@example.com' }, account.testKey);
    const other = await createFullAccount({ url: service.env.databaseUrl });
    expect([await ids(), await ids(account.testKey), await ids(other.liveKey)]).toEqual([[], [JANE], []]);
    const { status, body } = await ask('POST', path, { email: 'a@example.com' }, await register(service));
    expect([status, body.code]).toEqual([403, 'full_account_required']);
  });
});

describe('a verification', () => {
  const verify = async (key = account.testKey) =>
    (await ask('POST', '/api/v1/verify', { email: 'Jane.Doe@example.com' }, key)).body as object;

  it('a verification reports it only where the account has chosen so', async () => {
    await ask('POST', path, { email: 'jane.doe@example.com' }, account.testKey);
    expect(await verify()).not.toHaveProperty('suppressed');
    const settings = '/api/v1/suppression-settings';
    const key = account.testKey;
    expect((await ask('GET', settings, undefined, key)).body).toEqual({ report_in_verify: false });
    const chosen = { report_in_verify: true };
    expect((await ask('PATCH', settings, chosen, key)).body).toEqual(chosen);
    expect((await ask('GET', settings, undefined, key)).body).toEqual(chosen);
    expect(await verify()).toMatchObject({ verdict: 'valid', suppressed: true });
    await ask('DELETE', `${path}/${JANE}`, undefined, account.testKey);
    expect(await verify()).toMatchObject({ verdict: 'valid', suppressed: false });
    expect((await ask('PATCH', settings, {}, key)).status).toBe(422);
  });
});

it('the results of a batch report it as well', async () => {
  const key = account.testKey;
  await ask('POST', path, { email: 'jane.doe@example.com' }, key);
  const emails = ['john@example.com', 'Jane.Doe@example.com'];
  const { id } = (await ask('POST', '/api/v1/verify/batch', { emails }, key)).body;
  const results = `/api/v1/verify/batch/${id}/results`;
  for (;;) {
    if ((await ask('GET', results, undefined, key)).status === 200) break;
    await nextLook();
  }
  const told = async () =>
    (await ask('GET', results, undefined, key)).body.results.map((row: { suppressed?: boolean }) => row.suppressed);
  expect(await told()).toEqual([undefined, undefined]);
  await ask('PATCH', '/api/v1/suppression-settings', { report_in_verify: true }, key);
  expect(await told()).toEqual([false, true]);
  const file = await fetch(`${service.url}${results}?format=csv`, { headers: { authorization: `Bearer ${key}` } });
  const [header, ...rows] = (await file.text()).trim().split('\r\n');
  const column = header!.split(',').indexOf('suppressed');
  expect(rows.map((row) => row.split(',')[column])).toEqual(['false', 'true']);
});

describe('the list of the administrators', () => {
  const admin = (method: string, at: string, body?: unknown) =>
    ask(method, `/admin/v1/suppressions${at}`, body, adminKey);

  it('the list of the administrators holds for every account, test keys included, and is written down', async () => {
    expect((await admin('POST', '', { email: 'jane.doe@example.com', reason: 'by law' })).status).toBe(201);
    expect((await admin('GET', '')).body.suppressions).toMatchObject([{ id: JANE, reason: 'by law' }]);
    const find = () =>
      ask('POST', '/api/v1/finder/email', { full_name: 'Jane Doe', domain: 'example.com' }, account.testKey);
    expect((await find()).body.reason).toBe('suppressed');
    expect(await ids()).toEqual([]);
    expect((await admin('DELETE', `/${JANE}`)).status).toBe(204);
    expect((await find()).body.reason).toBe('mailbox_exists');
    expect((await admin('DELETE', `/${JANE}`)).status).toBe(404);
    const { entries, audit } = (await ask('GET', '/admin/v1/audit', undefined, adminKey)).body;
    const acts = (entries ?? audit).map(({ act }: { act: string }) => act);
    expect(acts).toEqual(expect.arrayContaining(['suppression.add', 'suppression.remove']));
  });
});
