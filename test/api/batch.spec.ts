import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BatchCleanup } from '../../src/batch/upkeep/batch-cleanup.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { readBatch, tablesWith } from '../support/batches.js';
import { call, register, type Reply } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';
import { until } from '../support/next-look.js';

let database: TestDatabase;
let dns: DnsServer;
let service: TestService;
let account: FullAccount;
let later = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  dns = await startDnsServer({ zones: {} });
  service = await startService({
    database,
    env: { dnsServers: [dns.address], registrationsPerHour: 1000 },
    clock: { now: () => Date.now() + later },
  });
  account = await createFullAccount(database, { credits: 50 });
});

afterAll(async () => {
  await service.close();
  await dns.close();
  await database.drop();
});

const BATCHES = '/api/v1/verify/batch';

/** Sends any bytes. */
async function send(body: string | Buffer, type: string, { key = account.testKey, query = '', headers = {} } = {}) {
  const response = await fetch(`${service.url}${BATCHES}${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...(type && { 'content-type': type }), ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Reply['body'] };
}

const submit = (emails: unknown, more: object = {}, key = account.testKey) =>
  call(service, BATCHES, { key, body: { emails, ...more } });

async function finished(id: number, key = account.testKey): Promise<Reply['body']> {
  // In the table, since an agent may not ask as often as it takes.
  await until(async () => !['queued', 'processing'].includes((await readBatch(database.url, id)).state));
  const { body } = await call(service, `${BATCHES}/${id}`, { key });
  return body.data ?? body;
}

async function download(id: number, query: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.url}${BATCHES}/${id}/results?${query}`, {
    headers: { authorization: `Bearer ${account.testKey}`, 'accept-encoding': 'identity', ...headers },
  });
}

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => service.app.get(DataSource).query(text, values);

async function stored(): Promise<unknown> {
  const [row] = await sql(
    `SELECT (SELECT count(*)::integer FROM batches) AS batches, (SELECT count(*)::integer FROM batch_rows) AS rows,
            (SELECT count(*)::integer FROM batch_chunks) AS chunks, (SELECT count(*)::integer FROM credit_reservations) AS held`,
  );
  return row;
}

describe('a batch', () => {
  it('a batch is taken, verified and answered row by row in the order of submission', async () => {
    const emails = ['valid@b.example', 'invalid@a.example', 'x', 'full@b.example', 'valid@a.example'];
    const { status, headers, body } = await submit(emails, { name: 'Spring' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'queued', total_emails: 5 });
    expect(Number.isSafeInteger(body.id)).toBe(true);
    expect(headers.get('location')).toBe(`${BATCHES}/${body.id}`);
    const state = await finished(body.id);
    expect(state).toMatchObject({
      id: body.id,
      status: 'completed',
      name: 'Spring',
      total_emails: 5,
      unique_emails: 5,
      processed: 5,
      progress: 1,
      counts: { valid: 2, invalid: 2, risky: 1, unknown: 0 },
    });
    const { body: results } = await call(service, `${BATCHES}/${body.id}/results`, { key: account.testKey });
    expect(results).toMatchObject({ id: body.id, status: 'completed', total_emails: 5, next_cursor: null });
    expect(results.results.map((row: { email: string }) => row.email)).toEqual(emails);
    expect(results.results.map((row: { verdict: string }) => row.verdict)).toEqual([
      'valid',
      'invalid',
      'invalid',
      'risky',
      'valid',
    ]);
    const single = await call(service, '/api/v1/verify', { key: account.testKey, body: { email: emails[0] } });
    expect(Object.keys(results.results[0])).toEqual(Object.keys(single.body));
  });

  it('an address is verified once however often it was sent, and answered in every row', async () => {
    const { body } = await submit(['valid@A.example', ' valid@a.EXAMPLE ', 'VALID@a.example', 'valid@a.example']);
    expect(body).toMatchObject({ total_emails: 4, unique_emails: 2 });
    expect(await finished(body.id)).toMatchObject({ processed: 4, unique_emails: 2, counts: { valid: 4 } });
    const { body: results } = await call(service, `${BATCHES}/${body.id}/results`, { key: account.testKey });
    expect(results.results.map((row: { email: string }) => row.email)).toEqual([
      'valid@A.example',
      'valid@a.EXAMPLE',
      'VALID@a.example',
      'valid@a.example',
    ]);
  });

  it('a batch results of several thousand rows are paged by cursor without a gap, and filtered by verdict', async () => {
    const emails = Array.from({ length: 9_500 }, (_, i) => `${i % 5 ? 'valid' : 'invalid'}+${i}@d${i % 37}.example`);
    const { body } = await submit(emails);
    expect((await finished(body.id)).counts).toMatchObject({ valid: 7_600, invalid: 1_900 });
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await call(service, `${BATCHES}/${body.id}/results?limit=2300${cursor}`, { key: account.testKey });
      seen.push(...page.body.results.map((row: { email: string }) => row.email));
      if (page.body.next_cursor === null) break;
      cursor = `&cursor=${page.body.next_cursor}`;
    }
    expect(seen).toEqual(emails);
    const risky = await call(service, `${BATCHES}/${body.id}/results?verdict=risky`, { key: account.testKey });
    expect(risky.body.results).toEqual([]);
    const invalid = await call(service, `${BATCHES}/${body.id}/results?verdict=risky,invalid&limit=10000`, {
      key: account.testKey,
    });
    expect(invalid.body.results).toHaveLength(1_900);
  });

  it('a batch reserves credits for each distinct address at submission, and gives back what was not charged', async () => {
    const emails = ['a@nowhere.example', 'a@NOWHERE.example', 'b@nowhere.example'];
    const { body } = await submit(emails, {}, account.liveKey);
    const state = await finished(body.id, account.liveKey);
    expect(state).toMatchObject({ credits_reserved: 2, credits_charged: 2, counts: { invalid: 3 } });
    const { body: credits } = await call(service, '/api/v1/credits', { key: account.liveKey });
    expect(credits).toMatchObject({ remaining: 48, reserved: 0, used_total: 2 });
  });

  it('a batch that the credits do not cover is refused with 402 and leaves nothing', async () => {
    const before = await stored();
    const emails = Array.from({ length: 49 }, (_, i) => `u${i}@nowhere.example`);
    const { status, body } = await submit(emails, {}, account.liveKey);
    expect([status, body.code, body.required, body.remaining]).toEqual([402, 'credits_insufficient', 49, 48]);
    expect(await stored()).toEqual(before);
  });

  it('a batch is not found by another account', async () => {
    const { body } = await submit(['valid@a.example']);
    const other = await createFullAccount(database);
    for (const path of ['', '/results']) {
      const refused = await call(service, `${BATCHES}/${body.id}${path}`, { key: other.liveKey });
      expect([refused.status, refused.body.code]).toEqual([404, 'batch_not_found']);
    }
    const removed = await call(service, `${BATCHES}/${body.id}`, { key: other.liveKey, method: 'DELETE' });
    expect(removed.status).toBe(404);
    expect((await call(service, `${BATCHES}/nothing`, { key: other.liveKey })).status).toBe(404);
  });

  it('a batch is submitted once with one idempotency key, whatever form its body has', async () => {
    const options = { headers: { 'idempotency-key': 'once' } };
    const first = await send('valid@a.example\n', 'text/plain', options);
    const second = await send('valid@a.example\n', 'text/plain', options);
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('location')).toBe(`${BATCHES}/${first.body.id}`);
  });

  it('a batch batches are listed, newest first, by cursor', async () => {
    const { body } = await submit(['valid@a.example'], { name: 'Newest' });
    const page = await call(service, `${BATCHES}?limit=2`, { key: account.testKey });
    expect(page.body.batches.map(({ id }: { id: number }) => id)[0]).toBe(body.id);
    const next = await call(service, `${BATCHES}?limit=2&cursor=${page.body.next_cursor}`, { key: account.testKey });
    expect(next.body.batches).toHaveLength(2);
  });
});

describe('an agent', () => {
  it('an agent gets the envelope, and the nine members of a verification in each row', async () => {
    const key = await register(service);
    const { status, body } = await submit(['a@nowhere.example', 'b@nowhere.example'], {}, key);
    expect([status, body]).toEqual([
      201,
      { success: true, data: { id: expect.any(Number), status: 'queued', total_emails: 2 } },
    ]);
    later += 61_000;
    expect(await finished(body.data.id, key)).toMatchObject({ status: 'completed', credits_charged: 2 });
    const { body: results } = await call(service, `${BATCHES}/${body.data.id}/results`, { key });
    expect(results.data.results[0]).toMatchObject({ email: 'a@nowhere.example', result: 'invalid' });
    expect(Object.keys(results.data.results[0])).toHaveLength(9);
  });

  it('an agent may not name a webhook_url', async () => {
    const key = await register(service);
    const before = await stored();
    const { status, body } = await submit(['a@nowhere.example'], { webhook_url: 'https://example.com/hook' }, key);
    expect([status, body.code]).toEqual([403, 'full_account_required']);
    expect(await stored()).toEqual(before);
  });

  it('an agent may send 25 addresses and not 26', async () => {
    const key = await register(service);
    const { status, body } = await submit(Array(26).fill('a@nowhere.example'), {}, key);
    expect([status, body.code]).toEqual([422, 'too_many_emails']);
  });
});

describe('a body', () => {
  it.each([
    ['an empty list', '{"emails":[]}', 422, 'invalid_input'],
    ['no list', '{"emails":"a@b.example"}', 422, 'invalid_input'],
    ['nothing of it', '{"name":"x"}', 422, 'invalid_input'],
    ['two lists', '{"emails":["a@b.example"],"emails":["c@b.example"]}', 422, 'invalid_input'],
    ['a number inside', '{"emails":["a@b.example",7]}', 422, 'invalid_input'],
    ['a list inside', '{"emails":[["a@b.example"]]}', 422, 'invalid_input'],
    ['no object', '["a@b.example"]', 422, 'invalid_input'],
    ['an address of 1,001 characters', `{"emails":["${'a'.repeat(1001)}"]}`, 422, 'invalid_input'],
    ['ten million characters in a line', `{"emails":["${'a'.repeat(1e7)}"]}`, 422, 'invalid_input'],
    ['a cut-off end', '{"emails":["a@b.example"', 400, 'malformed_json'],
    ['a comma too many', '{"emails":["a@b.example",]}', 400, 'malformed_json'],
    ['something behind', '{"emails":["a@b.example"]} x', 400, 'malformed_json'],
    ['no JSON', 'hello', 400, 'malformed_json'],
  ])('a body with %s is refused and leaves nothing', async (_, text, status, code) => {
    const before = await stored();
    const reply = await send(text, 'application/json');
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(await stored()).toEqual(before);
  });

  it('a body that is cut off with its connection leaves nothing', async () => {
    const before = await stored();
    const receiving = async () => (await sql(`SELECT 1 FROM batches WHERE state = 'receiving'`)).length;
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const lines = Array.from({ length: 60_000 }, (_, i) => `valid+${i}@d${i % 5}.example\n`).join('');
    socket.write(`POST ${BATCHES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.testKey}\r\n`);
    socket.write(`Content-Type: text/plain\r\nContent-Length: 99999999\r\n\r\n${lines}`);
    await until(async () => (await receiving()) > 0);
    socket.destroy();
    await until(async () => (await receiving()) === 0);
    expect(await stored()).toEqual(before);
  });

  it('a body that breaks after thousands of addresses leaves nothing', async () => {
    const before = await stored();
    const many = Array.from({ length: 60_000 }, (_, i) => `"valid+${i}@d${i % 5}.example"`).join(',');
    const reply = await send(`{"emails":[${many},5]}`, 'application/json');
    expect([reply.status, reply.body.fields[0].field]).toEqual([422, 'emails[60000]']);
    expect(await stored()).toEqual(before);
  });

  it('a body with one address more than a million is refused and leaves nothing', async () => {
    const before = await stored();
    const reply = await send('a@b.example\n'.repeat(1_000_001), 'text/plain');
    expect([reply.status, reply.body.code, reply.body.limit]).toEqual([422, 'too_many_emails', 1_000_000]);
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['lines', 'valid@a.example\r\n\r\ninvalid@b.example', 'text/plain'],
    ['NDJSON', '"valid@a.example"\n{"email":"invalid@b.example"}\n', 'application/x-ndjson'],
    ['CSV without a header', 'valid@a.example\ninvalid@b.example\n', 'text/csv'],
    ['CSV of one column', '\ufeffEmail\nvalid@a.example\ninvalid@b.example\n', 'text/csv; charset=utf-8'],
    [
      'UTF-16',
      Buffer.from('\ufeffe-mail;name\r\nvalid@a.example;Zoë\r\ninvalid@b.example;"x;y"\r\n', 'utf16le'),
      'text/csv',
    ],
    ['gzip', gzipSync('{"emails":["valid@a.example","invalid@b.example"]}'), 'application/json'],
  ])('a body may be %s', async (form, text, type) => {
    const headers: Record<string, string> = form === 'gzip' ? { 'content-encoding': 'gzip' } : {};
    const { status, body } = await send(text, type, { headers });
    expect([status, body.total_emails]).toEqual([201, 2]);
    expect((await finished(body.id)).counts).toEqual({ valid: 1, invalid: 1, risky: 0, unknown: 0 });
  });

  it('a body may be a form with one file', async () => {
    const form = new FormData();
    form.set('name', 'From a form');
    form.set('email_column', 'Contact');
    form.set('file', new Blob(['Id,Contact\n1,valid@a.example\n'], { type: 'text/csv' }), 'people.csv');
    const response = await fetch(service.url + BATCHES, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.testKey}` },
      body: form,
    });
    const body = (await response.json()) as { id: number; name: string };
    expect([response.status, body.name]).toEqual([201, 'From a form']);
    expect(await finished(body.id)).toMatchObject({ name: 'From a form', counts: { valid: 1 } });
  });

  it.each([
    ['text of another type', 'x', 'application/pdf', {}, 415, 'unsupported_media_type'],
    [
      'cut-off gzip',
      gzipSync('valid@a.example\n'.repeat(99)).subarray(0, 30),
      'text/plain',
      { 'content-encoding': 'gzip' },
      422,
      'invalid_input',
    ],
    [
      'a gzip bomb',
      // As members, which are unpacked as one and take a hundredth of the time to make.
      Buffer.concat(Array<Buffer>(300).fill(gzipSync(Buffer.alloc(1e6, ' \n')))),
      'text/plain',
      { 'content-encoding': 'gzip' },
      413,
      'body_too_large',
    ],
    ['a CSV without a column of addresses', 'a,b\n1,2\n', 'text/csv', {}, 422, 'invalid_input'],
    ['a charset that nobody knows', 'a@b.example\n', 'text/plain; charset=klingon', {}, 422, 'invalid_input'],
    ['no UTF-8', Buffer.from('val\xefd@a.example\n', 'latin1'), 'text/plain', {}, 422, 'invalid_input'],
    ['a line of ten million characters', 'a'.repeat(1e7), 'text/plain', {}, 422, 'invalid_input'],
  ])('a body of %s is refused', async (_, body, type, headers, status, code) => {
    const before = await stored();
    const reply = await send(body, type, { headers });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(await stored()).toEqual(before);
  });

  it.each(['Mail', '3', '0', '%20'])('a CSV without a column %s that the query names is refused', async (column) => {
    const before = await stored();
    const reply = await send('Contact,\nvalid@a.example,x\n', 'text/csv', { query: `?email_column=${column}` });
    expect([reply.status, reply.body.fields]).toEqual([
      422,
      [
        {
          field: 'email_column',
          error: 'email_column names no column of the file, which has "Contact", 2 (without a name)',
        },
      ],
    ]);
    expect(await stored()).toEqual(before);
  });

  it('a CSV whose header tells no column of addresses is refused with its columns, as far as they can be shown', async () => {
    const names = ['Kund\u0007e', `"${'x'.repeat(100)}"`, ...Array.from({ length: 40 }, (_, i) => `c${i}`)];
    const reply = await send(`${names.join(',')}\n1,2\n`, 'text/csv', {});
    const [{ error }] = reply.body.fields;
    expect(error).toMatch(/^email_column must say which column holds the addresses, of "Kunde", "x{60}", "c0", /);
    expect(error).toMatch(/"c17" and 22 more$/);
  });

  it('a CSV with addresses in several columns is refused with an address of each, and taken when one is named', async () => {
    const text = 'Work Email,Private Email\nvalid@a.example,invalid@b.example\n';
    const { status, body } = await send(text, 'text/csv', {});
    expect([status, body.fields]).toEqual([
      422,
      [
        {
          field: 'email_column',
          error:
            'email_column must say which of these columns holds the addresses: "Work Email" ("valid@a.example"), "Private Email" ("invalid@b.example")',
        },
      ],
    ]);
    const taken = await send(text, 'text/csv', { query: '?email_column=private%20email' });
    expect((await finished(taken.body.id)).counts).toEqual({ valid: 0, invalid: 1, risky: 0, unknown: 0 });
  });

  it.each([
    ['false', 'Kontakt,Name\nvalid@a.example,Jane\n', 2],
    ['true', 'valid@b.example,Jane\nvalid@a.example,Joe\n', 1],
  ])(
    'a CSV has a header or none where the caller says has_header=%s, in the query and in a form',
    async (has, text, rows) => {
      const { status, body } = await send(text, 'text/csv', { query: `?has_header=${has}` });
      expect([status, body.total_emails]).toEqual([201, rows]);
      const form = new FormData();
      form.set('has_header', has);
      form.set('file', new Blob([text]), 'list.csv');
      const headers = { authorization: `Bearer ${account.testKey}` };
      const sent = await fetch(service.url + BATCHES, { method: 'POST', headers, body: form });
      expect(await sent.json()).toMatchObject({ total_emails: rows });
    },
  );

  it.each([
    ['query', '?has_header=maybe', null],
    ['form', '', 'maybe'],
  ])('a CSV is refused where has_header is neither true nor false in the %s', async (_, query, field) => {
    const form = new FormData();
    if (field !== null) form.set('has_header', field);
    form.set('file', new Blob(['valid@a.example\n']), 'list.csv');
    const headers = { authorization: `Bearer ${account.testKey}` };
    const sent = await fetch(service.url + BATCHES + query, { method: 'POST', headers, body: form });
    const { fields } = (await sent.json()) as { fields: unknown };
    expect([sent.status, fields]).toEqual([422, [{ field: 'has_header', error: 'has_header must be true or false' }]]);
  });

  it.each([
    ['without a header whose first address is missing', 'Jane,\nJoe,valid@a.example\n', 2],
    ['below the notes of an export', 'Notes:\n\nVorname,Ort,Почта\nJane,Köln,valid@a.example\n', 1],
    ['below a header in no language of ours', 'Kontakt,Onyx\nJane,valid@a.example\n', 1],
  ])('a CSV has its addresses found, and loses no row, %s', async (_, text, rows) => {
    const { status, body } = await send(text, 'text/csv', {});
    expect([status, body.total_emails]).toEqual([201, rows]);
    expect((await finished(body.id)).counts).toMatchObject({ valid: 1, invalid: rows - 1 });
  });

  it.each([
    ['semicolon', 'e-mail;note, in short, of them\nvalid@a.example;one, two\n'],
    ['tab', 'note;of;them\temail\nx;y\tvalid@a.example\n'],
    ['bar', 'email|a,b,c\nvalid@a.example|1\n'],
    ['comma', '"a;b;c",email;\n1,valid@a.example\n'],
  ])('a CSV is divided by the %s that the caller names, whatever its first line tells', async (delimiter, text) => {
    const query = `?delimiter=${delimiter}&email_column=${delimiter === 'comma' || delimiter === 'tab' ? 2 : 1}`;
    const { status, body } = await send(text, 'text/csv', { query });
    expect(status).toBe(201);
    expect((await finished(body.id)).counts).toEqual({ valid: 1, invalid: 0, risky: 0, unknown: 0 });
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(query)) form.set(name, value);
    form.set('file', new Blob([text]), 'list.csv');
    const headers = { authorization: `Bearer ${account.testKey}` };
    const sent = await fetch(service.url + BATCHES, { method: 'POST', headers, body: form });
    const { id } = (await sent.json()) as { id: number };
    expect((await finished(id)).counts).toMatchObject({ valid: 1, invalid: 0 });
  });

  it.each([';', 'Comma', 'colon', '', '__proto__', 'comma,tab', '\0'])(
    'a delimiter %j is refused in the query and in a form',
    async (delimiter) => {
      const before = await stored();
      const query = `?delimiter=${encodeURIComponent(delimiter)}`;
      const refusals = [await send('email\nvalid@a.example\n', 'text/csv', { query })];
      const form = new FormData();
      form.set('delimiter', delimiter);
      form.set('file', new Blob(['email\nvalid@a.example\n']), 'list.csv');
      const headers = { authorization: `Bearer ${account.testKey}` };
      const sent = await fetch(service.url + BATCHES, { method: 'POST', headers, body: form });
      refusals.push({ status: sent.status, body: await sent.json() } as (typeof refusals)[number]);
      for (const { status, body } of refusals) expect([status, body.fields[0].field]).toEqual([422, 'delimiter']);
      expect(await stored()).toEqual(before);
    },
  );

  it('a body is not read before the key is checked', async () => {
    const reply = await send('hello', 'application/json', { key: 'ms_live_nothing' });
    expect(reply.status).toBe(401);
  });
});

describe('results', () => {
  it('results as CSV bring the columns of a CSV back as they were sent', async () => {
    const csv = 'Name,Email,Note\r\n"Doe, Jane",valid@a.example,=1+1\r\nBob,=x@b.example,"two ""words"""\r\n';
    const { body } = await send(csv, 'text/csv');
    await finished(body.id);
    const response = await download(body.id, 'format=csv');
    expect(response.headers.get('content-type')).toContain('text/csv');
    const [header, first, second] = (await response.text()).split('\r\n');
    expect(header).toBe('Name,Email,Note,verdict,reason,action,score,did_you_mean');
    expect(first).toMatch(/^"Doe, Jane",valid@a\.example,=1\+1,valid,/);
    expect(second).toMatch(/^Bob,=x@b\.example,"two ""words""",/);
    const { body: json } = await call(service, `${BATCHES}/${body.id}/results`, { key: account.testKey });
    expect(json.results[0].columns).toEqual({ Name: 'Doe, Jane', Note: '=1+1' });
  });

  it('results as NDJSON are a line each, packed when gzip is accepted', async () => {
    const { body } = await submit(['valid@a.example', 'invalid@a.example']);
    await finished(body.id);
    const response = await download(body.id, 'format=ndjson&verdict=invalid', { 'accept-encoding': 'gzip' });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const lines = (await response.text()).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { email: string }).email)).toEqual(['invalid@a.example']);
  });

  it.each(['format=xml', 'verdict=good', 'limit=0', 'limit=10001', 'cursor=x'])('results refuse %s', async (query) => {
    const { body } = await submit(['valid@a.example']);
    await finished(body.id);
    const { status } = await call(service, `${BATCHES}/${body.id}/results?${query}`, { key: account.testKey });
    expect(status).toBe(422);
  });
});

describe('deleting', () => {
  it('the cleanup deletes a batch when its retention is over', async () => {
    const { body } = await submit(['valid+needle78@a.example']);
    await finished(body.id);
    await service.app.get(BatchCleanup).deleteExpired();
    expect(await tablesWith(database.url, 'needle78')).toContain('batch_chunks');
    await sql(`UPDATE batches SET expires_at = now() - interval '1 second' WHERE id = $1`, [body.id]);
    expect(await service.app.get(BatchCleanup).deleteExpired()).toBe(1);
    expect(await tablesWith(database.url, 'needle78')).toEqual([]);
  });
});

it('a batch of the year 2040, whose id has sixteen digits, is found by its id and by the cursor of a page', async () => {
  const { testKey: key } = await createFullAccount(database);
  later = Date.UTC(2040, 0, 1) - Date.now();
  try {
    const ids: number[] = [];
    for (const email of ['valid@a.example', 'valid@b.example']) ids.unshift((await submit([email], {}, key)).body.id);
    expect(String(ids[0])).toHaveLength(16);
    for (const id of ids) expect((await finished(id, key)).status).toBe('completed');
    for (const [path, name] of [
      [BATCHES, 'batches'],
      ['/api/v1/lists', 'lists'],
    ] as const) {
      const { body: first } = await call(service, `${path}?limit=1`, { key });
      const { body: second } = await call(service, `${path}?limit=1&cursor=${first.next_cursor}`, { key });
      expect([...first[name], ...second[name]].map(({ id }) => id)).toEqual(ids);
    }
    // Beyond what a number of JSON holds exactly.
    expect((await call(service, `${BATCHES}/9999999999999999`, { key })).body.code).toBe('batch_not_found');
  } finally {
    later = 0;
  }
});
