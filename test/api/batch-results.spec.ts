import { parse } from 'csv-parse/sync';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ResultsStore } from '../../src/batch/results/results.store.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { startMailService } from '../support/mail-service.js';
import { recipientOf } from '../support/mail-scripts.js';
import { startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import type { TestService } from '../support/service.js';

const VERIFY = '/api/v1/verify/batch';
const FIND = '/api/v1/finder/batch';

let service: TestService;
let account: FullAccount;
let greylists = true;

beforeAll(async () => {
  service = await startMailService({
    host: startScriptedSmtpServer({
      onLine: (line) => {
        const recipient = recipientOf(line);
        if (recipient === null || /^[ab]@/.test(recipient)) return undefined;
        if (recipient.startsWith('grey')) return greylists ? '451 4.7.1 Greylisted, try again later' : undefined;
        return '550 5.1.1 User unknown';
      },
    }),
    dns: {
      zones: {
        'example.com': { MX: [[10, 'mx.example.com']] },
        'mx.example.com': { A: ['127.0.0.1'] },
        'hosted.example': { MX: [[10, 'aspmx1.migadu.com']] },
        'aspmx1.migadu.com': { A: ['127.0.0.1'] },
      },
    },
    timer: SYSTEM_TIMER,
  });
});

beforeEach(async () => {
  greylists = true;
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(async () => {
  vi.restoreAllMocks();
  await service.close();
});

/** Sends a list. @returns the path of the batch */
async function submit(body: string, type = 'text/csv', { key = account.liveKey, path = VERIFY } = {}): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type };
  const sent = await fetch(service.url + path, { method: 'POST', headers, body });
  expect(sent.status).toBe(201);
  const reply = (await sent.json()) as { id?: number; data?: { id: number } };
  return `${path}/${reply.id ?? reply.data!.id}`;
}

const statusOf = async (batch: string, key = account.liveKey) => {
  const { body } = await call(service, batch, { key });
  return (body.data ?? body) as { status: string; processed: number; credits_charged: number };
};

async function finished(body: string, type?: string, where: { key?: string; path?: string } = {}): Promise<string> {
  const batch = await submit(body, type, where);
  await expect.poll(async () => (await statusOf(batch, where.key)).status).toBe('completed');
  return batch;
}

/** A list of which the grey addresses wait for their second try. */
async function waiting(emails: readonly string[], answered: number): Promise<string> {
  const batch = await submit(JSON.stringify({ emails }), 'application/json');
  await expect.poll(async () => (await statusOf(batch)).processed).toBe(answered);
  return batch;
}

const get = (path: string, key = account.liveKey) => call(service, path, { key });

async function file(path: string, key = account.liveKey): Promise<{ text: string; headers: Headers }> {
  const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  // Not by `text()`, which takes the byte order mark away.
  return { text: Buffer.from(await response.arrayBuffer()).toString(), headers: response.headers };
}

const fileOf = async (batch: string, query = '', key?: string) =>
  (await file(`${batch}/results?format=csv${query}`, key)).text;

describe('a CSV that was sent as CSV', () => {
  const CRM =
    'Kunde;E-Mail;Größe;verdict\r\n"Müller; Söhne";a@example.com;1,5;alt\r\nZoë;no@example.com;"2"" breit";neu\r\n';

  it('a CSV that was sent as CSV comes back with its own columns first, with their names, order and delimiter', async () => {
    const batch = await finished(CRM);
    expect(await fileOf(batch)).toBe(
      'Kunde;E-Mail;Größe;verdict;mailsonde_verdict;reason;action;score;did_you_mean\r\n' +
        '"Müller; Söhne";a@example.com;1,5;alt;valid;mailbox_exists;send;98;\r\n' +
        'Zoë;no@example.com;"2"" breit";neu;invalid;mailbox_not_found;do_not_send;1;\r\n',
    );
    const list = batch.replace(VERIFY, '/api/v1/lists');
    expect((await file(`${list}/download`)).text).toBe(await fileOf(batch));
    expect((await file(`${list}/download?fields=score&verdict=valid`)).text).toBe(
      'Kunde;E-Mail;Größe;verdict;score\r\n"Müller; Söhne";a@example.com;1,5;alt;98\r\n',
    );
  });

  it('a CSV that was sent as CSV has the result columns that its reader names, in their order, behind a byte order mark on request', async () => {
    const batch = await finished(CRM);
    const [header, first] = (await fileOf(batch, '&fields=score,%20checks.smtp,score&bom=true')).split('\r\n');
    expect(header).toBe('\uFEFFKunde;E-Mail;Größe;verdict;score;checks.smtp');
    expect(first).toBe('"Müller; Söhne";a@example.com;1,5;alt;98;pass');
    const [all] = (await fileOf(batch, '&fields=all&bom=false')).split('\r\n');
    expect(all).toMatch(/^Kunde;E-Mail;Größe;verdict;email;mailsonde_verdict;confidence;.*;score;.*;request_id$/);
  });

  it('a CSV that was sent as CSV says every further time of an address what that row says, and leaves short rows empty', async () => {
    const batch = await finished('note\temail\tx\n1\ta@example.com\n2\ta@EXAMPLE.com\ty\n');
    expect(await fileOf(batch, '&fields=verdict')).toBe(
      'note\temail\tx\tverdict\r\n1\ta@example.com\t\tvalid\r\n2\ta@EXAMPLE.com\ty\tvalid\r\n',
    );
  });

  it('a CSV that was sent as CSV keeps the name of the address column whatever the others are called', async () => {
    const batch = await finished('note;Mail;note;MAIL;note_2\n1;a@example.com;2;3;4\n');
    expect(await fileOf(batch, '&fields=verdict')).toBe(
      'note;Mail;note_3;MAIL;note_2;verdict\r\n1;a@example.com;2;3;4;valid\r\n',
    );
  });

  it('a CSV that was sent as CSV has a header and an address column of the name email when it came without one', async () => {
    const batch = await finished('7,a@example.com,=1+1\n');
    expect(await fileOf(batch, '&fields=verdict')).toBe(
      'column_1,email,column_3,verdict\r\n7,a@example.com,=1+1,valid\r\n',
    );
    const alone = await finished('Mail\na@example.com\n');
    expect(await fileOf(alone, '&fields=verdict')).toBe('Mail,verdict\r\na@example.com,valid\r\n');
  });
});

describe('cells that a spreadsheet would run', () => {
  const CELLS = ['+49 30 901820', '-5', '=1+1', '@jane', '\tx', '  x ', "'=1", '"=1"', '=a,b', 'a\r\nb', '\r=1', 'ë=1'];
  const cells = (values: readonly string[]) => values.map((value) => `"${value.replaceAll('"', '""')}"`).join(',');
  const LIST = `=id,email,${CELLS.map((_, i) => `+n${i}`).join(',')}\r\n-1,+a@example.com,${cells(CELLS)}\r\n`;
  const NAMES = ['=id', 'email', ...CELLS.map((_, i) => `+n${i}`), 'verdict', 'did_you_mean'];
  const read = async (text: Promise<string>) => parse(await text, { relax_column_count: true });
  const guarded = (value: string) => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);

  it('cells that a spreadsheet would run come back byte for byte where they stood in the columns of a CSV that was sent', async () => {
    const batch = await finished(LIST);
    expect(await read(fileOf(batch, '&fields=verdict,did_you_mean'))).toEqual([
      NAMES,
      ['-1', '+a@example.com', ...CELLS, 'invalid', ''],
    ]);
    const list = batch.replace(VERIFY, '/api/v1/lists');
    expect((await file(`${list}/download?fields=verdict`)).text).toBe(await fileOf(batch, '&fields=verdict'));
  });

  it('cells that a spreadsheet would run come back below headers that are byte for byte those that were sent, blanks before and behind a name included', async () => {
    const batch = await finished('id ,\t Email , name,  \r\n7,a@example.com, Jane,x\r\n');
    expect(await fileOf(batch, '&fields=verdict')).toBe(
      'id ,\t Email , name,column_4,verdict\r\n7,a@example.com, Jane,x,valid\r\n',
    );
    const people = await finished(' Domain ,Full_Name , note\r\nexample.com,Jane Doe,1\r\n', 'text/csv', {
      path: FIND,
    });
    expect((await fileOf(people, '&fields=reason')).split('\r\n')[0]).toBe('reason, Domain ,Full_Name , note');
  });

  it('cells that a spreadsheet would run come back byte for byte to an agent, and in a CSV of people, too', async () => {
    const key = await register(service);
    const agents = await finished(LIST, 'text/csv', { key });
    expect(await read(fileOf(agents, '&fields=result', key))).toEqual([
      ['result', ...NAMES.slice(0, -2).toSpliced(1, 1)],
      ['invalid', '-1', ...CELLS],
    ]);
    const people = await finished('full_name,domain,=phone\r\n=Jane Doe,example.com,+49 30\r\n', 'text/csv', {
      path: FIND,
    });
    expect(await fileOf(people, '&fields=reason')).toMatch(
      /^reason,full_name,domain,=phone\r\n\w+,=Jane Doe,example\.com,\+49 30\r\n$/,
    );
  });

  it('cells that a spreadsheet would run have an apostrophe before them where they stand in a column of ours, or were sent in another form', async () => {
    const batch = await finished('+a@example.com\n', 'text/plain');
    expect(await fileOf(batch, '&fields=email,verdict')).toBe("email,verdict\r\n'+a@example.com,invalid\r\n");
    const sent = await finished('email,x\n-a@example.com,-1\n');
    expect(await fileOf(sent, '&fields=email')).toBe(
      "email,x,mailsonde_email\r\n-a@example.com,-1,'-a@example.com\r\n",
    );
    const people = await finished('{"people":[{"full_name":"=Jane Doe","domain":"example.com"}]}', 'application/json', {
      path: FIND,
    });
    expect(await fileOf(people, '&fields=reason')).toMatch(/\r\n\w+,'=Jane Doe,/);
  });

  it('cells that a spreadsheet would run have an apostrophe before them in every column with formula_guard=true', async () => {
    const batch = await finished(LIST);
    expect(await read(fileOf(batch, '&fields=verdict,did_you_mean&formula_guard=true'))).toEqual([
      NAMES.map(guarded),
      ["'-1", "'+a@example.com", ...CELLS.map(guarded), 'invalid', ''],
    ]);
    expect(await fileOf(batch, '&formula_guard=false')).toBe(await fileOf(batch));
  });
});

describe('a CSV of what was sent in another form', () => {
  it('a CSV of what was sent in another form keeps all columns as its default', async () => {
    const batch = await finished('a@example.com\n', 'text/plain');
    const all = await fileOf(batch, '&fields=all');
    expect(await fileOf(batch)).toMatch(/^email,verdict,confidence,checks\.syntax,.*,score,.*,request_id\r\na@example/);
    expect(all.split('\r\n')[0]).toBe((await fileOf(batch)).split('\r\n')[0]);
    expect(await fileOf(batch, '&fields=email,score')).toBe('email,score\r\na@example.com,98\r\n');
    const people = await finished('name,domain\nA,example.com\n', 'text/csv', { path: FIND });
    expect(await fileOf(people, '&fields=email')).toMatch(/^email,name,domain\r\n/);
  });

  it('a CSV of what was sent in another form keeps the nine columns of an agent, in whatever form he sent it', async () => {
    const apiKey = await register(service);
    const batch = await finished('note;email\nx;a@example.com\n', 'text/csv', { key: apiKey });
    const nine = 'email,result,reason,score,disposable,role,free,accept_all,did_you_mean';
    expect(await fileOf(batch, '', apiKey)).toMatch(new RegExp(`^${nine},note\r\na@example.com,valid,`));
    expect(await fileOf(batch, '&partial=true', apiKey)).toMatch(new RegExp(`^${nine},note\r\n`));
  });

  it.each([
    ['&fields=verdict,colour', 'fields', /^fields must be all, or a comma list of email, verdict, .*, score, /],
    ['&fields=', 'fields', /comma list/],
    ['&fields=all,verdict', 'fields', /comma list/],
    ['&fields=pending', 'fields', /comma list/],
    ['&bom=yes', 'bom', /true or false/],
    ['&formula_guard=1', 'formula_guard', /true or false/],
    ['&partial=1', 'partial', /true or false/],
    ['&format=json&fields=verdict', 'fields', /needs format=csv/],
    ['&format=ndjson&bom=true', 'bom', /needs format=csv/],
    ['&format=json&formula_guard=true', 'formula_guard', /needs format=csv/],
  ])('a CSV of what was sent in another form refuses %s and says what is known', async (query, field, error) => {
    const batch = await finished('a@example.com\n', 'text/plain');
    const [, format = 'csv'] = /format=(\w+)/.exec(query) ?? [];
    const reply = await get(`${batch}/results?format=${format}${query.replace(/&format=\w+/, '')}`);
    expect(reply.status).toBe(422);
    expect(reply.body.fields[0]).toMatchObject({ field, error: expect.stringMatching(error) as string });
  });
});

describe('results before the end', () => {
  const EMAILS = ['a@example.com', 'grey@example.com', 'no@example.com', ' grey@EXAMPLE.com', 'b@example.com'];

  it('results before the end give what is answered, and say which rows wait', async () => {
    const batch = await waiting(EMAILS, 3);
    expect((await get(`${batch}/results`)).body.code).toBe('batch_not_finished');
    const { body } = await get(`${batch}/results?partial=true`);
    expect(body).toMatchObject({ status: 'processing', complete: false, next_cursor: null, total_emails: 5 });
    expect(body.results).toMatchObject([
      { email: 'a@example.com', verdict: 'valid', credits_charged: 1 },
      {},
      { email: 'no@example.com', verdict: 'invalid' },
      {},
      { email: 'b@example.com', verdict: 'valid' },
    ]);
    expect(body.results[1]).toEqual({ email: 'grey@example.com', verdict: null, pending: true });
    expect(body.results[3]).toEqual({ email: 'grey@EXAMPLE.com', verdict: null, pending: true });
    const filtered = await get(`${batch}/results?partial=true&verdict=valid`);
    expect(filtered.body.results.map(({ email }: { email: string }) => email)).toEqual([
      'a@example.com',
      'b@example.com',
    ]);
  });

  it('results before the end say in a header of files that they are not complete', async () => {
    const batch = await waiting(EMAILS, 3);
    const lines = await file(`${batch}/results?partial=true&format=ndjson`);
    expect(lines.headers.get('batch-complete')).toBe('false');
    expect(lines.text.split('\n')[1]).toBe('{"email":"grey@example.com","verdict":null,"pending":true}');
    const csv = await file(`${batch}/results?partial=true&format=csv&fields=email,verdict,checks.smtp,pending`);
    expect(csv.headers.get('batch-complete')).toBe('false');
    expect(csv.text).toMatch(
      /^email,verdict,checks\.smtp,pending\r\na@example\.com,valid,pass,\r\ngrey@example\.com,,,true/,
    );
    const all = (await file(`${batch}/results?partial=true&format=csv`)).text.split('\r\n');
    expect(all[0]).toMatch(/,request_id,pending$/);
    expect(all[2]).toMatch(/^grey@example\.com,,.*,true$/);
    expect(new Set(all.slice(0, -1).map((line) => line.split(',').length)).size).toBe(1);
  });

  it('results before the end stand at the same places while further results come in, so that cursors stay right', async () => {
    const batch = await waiting(EMAILS, 3);
    const first = await get(`${batch}/results?partial=true&limit=2`);
    const id = batch.split('/').at(-1);
    greylists = false;
    await service.app.get(DataSource).query('UPDATE batch_chunks SET due_at = now() WHERE batch_id = $1', [id]);
    await expect.poll(async () => (await statusOf(batch)).status).toBe('completed');
    const rest = await get(`${batch}/results?partial=true&limit=5&cursor=${first.body.next_cursor}`);
    const emails = [...first.body.results, ...rest.body.results].map(({ email }: { email: string }) => email);
    expect(emails).toEqual(EMAILS.map((email) => email.trim()));
    expect([first.body.complete, first.body.results[1].verdict]).toEqual([false, null]);
    expect([rest.body.complete, rest.body.results[1].verdict]).toEqual([true, 'valid']);
  });

  it('results before the end are those of one moment while a worker moves rows to other chunks', async () => {
    const batch = await waiting(EMAILS, 3);
    const id = batch.split('/').at(-1);
    const store = service.app.get(ResultsStore);
    const findRows = store.findRows.bind(store);
    const moved = vi.spyOn(store, 'findRows').mockImplementation(async (...args) => {
      const rows = await findRows(...args);
      const database = service.app.get(DataSource);
      await database.query('UPDATE batch_chunks SET number = number + 7 WHERE batch_id = $1', [id]);
      return rows;
    });
    const { body } = await get(`${batch}/results?partial=true`);
    moved.mockRestore();
    expect(body.results.map(({ email }: { email: string }) => email)).toEqual(EMAILS.map((email) => email.trim()));
  });

  it('results before the end are complete after the end, with the same columns', async () => {
    const batch = await finished('email;x\na@example.com;1\n');
    expect((await get(`${batch}/results?partial=true`)).body).toMatchObject({ complete: true });
    const { text, headers } = await file(`${batch}/results?partial=true&format=csv`);
    expect(headers.get('batch-complete')).toBe('true');
    expect(text).toBe(
      'email;x;verdict;reason;action;score;did_you_mean;pending\r\na@example.com;1;valid;mailbox_exists;send;98;;\r\n',
    );
    expect((await get(`${batch}/results`)).body).not.toHaveProperty('complete');
    expect((await file(`${batch}/results?format=csv`)).headers.get('batch-complete')).toBeNull();
  });

  it('results before the end are given of people and to agents in their own shape', async () => {
    const key = await register(service);
    const asked = await submit(JSON.stringify({ emails: ['grey@example.com'] }), 'application/json', { key });
    expect((await get(`${asked}/results?partial=true`, key)).body.data).toMatchObject({
      complete: false,
      results: [{ email: 'grey@example.com', result: null, pending: true }],
    });
    const people = await submit('name,domain\nGrey One,example.com\n', 'text/csv', { path: FIND });
    const person = await get(`${people}/results?partial=true`);
    expect(person.body.results[0]).toMatchObject({
      domain: 'example.com',
      verdict: null,
      pending: true,
      columns: { name: 'Grey One' },
    });
  });

  it('results before the end belong to their account', async () => {
    const batch = await waiting(EMAILS, 3);
    const stranger = await createFullAccount({ url: service.env.databaseUrl });
    expect((await get(`${batch}/results?partial=true`, stranger.liveKey)).body.code).toBe('batch_not_found');
    expect((await get(`${batch}/results?partial=true`, account.testKey)).body.code).toBe('batch_not_found');
  });
});

it('credits_charged of the rows sums to what a batch was charged that was cancelled, with addresses sent twice', async () => {
  const emails = ['a@example.com', 'a@example.com', 'grey@example.com', 'no@example.com', 'a@EXAMPLE.com'];
  const batch = await waiting(emails, 4);
  const charges = async (query: string) =>
    ((await get(`${batch}/results${query}`)).body.results as { credits_charged?: number }[]).map(
      ({ credits_charged }) => credits_charged,
    );
  expect(await charges('?partial=true')).toEqual([1, 0, undefined, 1, 0]);
  const { body } = await call(service, batch, { key: account.liveKey, method: 'DELETE' });
  expect(body).toMatchObject({ status: 'cancelled', credits_charged: 2 });
  expect(await charges('')).toEqual([1, 0, 1, 0]);
  expect(await charges('?partial=true')).toEqual([1, 0, 1, 0]);
  const cells = (await fileOf(batch, '&fields=credits_charged')).trim().split('\r\n').slice(1);
  expect(cells.reduce((sum, cell) => sum + Number(cell), 0)).toBe(2);
});

describe('the filter by reason', () => {
  const words = ['valid', 'full', 'disabled', 'full', 'catch-all'];
  const rows = words.map((word, i) => `jane${i}+${word}@example.com`);

  it('the filter by reason leaves rows with other reasons out, in every format, page by page, together with the verdict', async () => {
    const batch = await submit(rows.join('\n'), 'text/plain', { key: account.testKey });
    await expect.poll(async () => (await statusOf(batch, account.testKey)).status).toBe('completed');
    const get = (query: string) => call(service, `${batch}/results?${query}`, { key: account.testKey });
    const addresses = async (query: string) =>
      (await get(query)).body.results.map(({ email }: { email: string }) => email);
    expect(await addresses('reason=mailbox_full')).toEqual([rows[1], rows[3]]);
    expect(await addresses('reason=mailbox_full,mailbox_disabled')).toEqual([rows[1], rows[2], rows[3]]);
    expect(await addresses('reason=mailbox_full,mailbox_disabled&verdict=invalid')).toEqual([rows[2]]);
    expect(await addresses('reason=a_reason_of_next_year')).toEqual([]);
    const first = await get('reason=mailbox_full&limit=1');
    expect(await addresses(`reason=mailbox_full&limit=1&cursor=${first.body.next_cursor}`)).toEqual([rows[3]]);
    const headers = { authorization: `Bearer ${account.testKey}` };
    const csv = await fetch(`${service.url}${batch}/results?format=csv&reason=catch_all`, { headers });
    expect((await csv.text()).trimEnd().split(/\r?\n/)).toHaveLength(2);
  });

  it.each(['', 'Mailbox_full', 'a,', 'a b', `${'a,'.repeat(40)}a`, 'x'.repeat(41)])(
    'the filter by reason refuses %j',
    async (reason) => {
      const batch = await submit(rows[0]!, 'text/plain', { key: account.testKey });
      const path = `${batch}/results?reason=${encodeURIComponent(reason)}`;
      expect((await call(service, path, { key: account.testKey })).body.code).toBe('invalid_input');
    },
  );
});

describe('the filter by domain', () => {
  it('the filter by domain leaves rows of other domains out, in every format, page by page, together with the verdict', async () => {
    const rows = [
      'a@One.com',
      'b+full@two.com',
      'c+full@one.com',
      'A@one.COM',
      'no address',
      'd@bücher.example',
      'e@two.com',
    ];
    const batch = await submit(rows.join('\n'), 'text/plain', { key: account.testKey });
    await expect.poll(async () => (await statusOf(batch, account.testKey)).status).toBe('completed');
    const get = (query: string) => call(service, `${batch}/results?${query}`, { key: account.testKey });
    const addresses = async (query: string) =>
      (await get(query)).body.results.map(({ email }: { email: string }) => email);
    expect(await addresses('domain=one.com')).toEqual([rows[0], rows[2], rows[3]]);
    expect(await addresses('domain=ONE.com')).toEqual([rows[0], rows[2], rows[3]]);
    expect(await addresses('domain=one.com&verdict=risky')).toEqual([rows[2]]);
    expect(await addresses('domain=one.com&reason=mailbox_exists')).toEqual([rows[0], rows[3]]);
    expect(await addresses(`domain=two.com,${encodeURIComponent('bücher.example')}`)).toEqual([
      rows[1],
      rows[5],
      rows[6],
    ]);
    expect(await addresses('domain=xn--bcher-kva.example')).toEqual([rows[5]]);
    expect(await addresses('domain=e.com')).toEqual([]);
    const first = await get('domain=one.com&limit=2');
    expect(await addresses(`domain=one.com&limit=2&cursor=${first.body.next_cursor}`)).toEqual([rows[3]]);
    const headers = { authorization: `Bearer ${account.testKey}` };
    const file = await fetch(`${service.url}${batch}/results?format=ndjson&domain=two.com`, { headers });
    expect((await file.text()).trimEnd().split('\n')).toHaveLength(2);
    const list = `/api/v1/lists/${batch.split('/').at(-1)}`;
    const ofList = await call(service, `${list}?domain=two.com`, { key: account.testKey });
    expect(ofList.body.results).toHaveLength(2);
    const csv = await fetch(`${service.url}${list}/download?domain=two.com`, { headers });
    expect((await csv.text()).trimEnd().split(/\r?\n/)).toHaveLength(3);
  });

  it('the filter by domain finds every row of a domain in many chunks, however it was written, page by page', async () => {
    const forms = [
      'two.com',
      'TWO.com',
      'two.com',
      'ｔｗｏ.com',
      'not-two.com',
      'bücher.example',
      'xn--bcher-kva.example',
    ];
    const rows = Array.from({ length: 9_000 }, (_, i) =>
      i % 900 === 7 ? `jane${i}@${forms[(i / 900) | 0] ?? 'two.com'}` : `jane${i % 8_000}@d${i % 3_001}.com`,
    );
    const batch = await finished(rows.join('\n'), 'text/plain', { key: account.testKey });
    const addresses = async (domain: string) => {
      const found: string[] = [];
      for (let cursor = ''; ;) {
        const query = `domain=${encodeURIComponent(domain)}&limit=3${cursor}`;
        const { body } = await call(service, `${batch}/results?${query}`, { key: account.testKey });
        found.push(...body.results.map(({ email }: { email: string }) => email));
        if (body.next_cursor === null) return found;
        cursor = `&cursor=${body.next_cursor}`;
      }
    };
    expect(await addresses('two.com')).toEqual(rows.filter((row) => /@(two|ｔｗｏ)\.com$/i.test(row)));
    expect(await addresses('bücher.example')).toEqual(rows.filter((row) => /cher.*example$/.test(row)));
    expect(await addresses('d17.com,d2999.com')).toEqual(rows.filter((row) => /@d(17|2999)\.com$/.test(row)));
    expect(await addresses('wo.com')).toEqual([]);
  });

  it.each(['', 'a,', ',a', 'a b', 'a,,b', `${'a,'.repeat(20)}a`, 'x'.repeat(256)])(
    'the filter by domain refuses %j',
    async (domain) => {
      const batch = await submit('a@one.com', 'text/plain', { key: account.testKey });
      const path = `${batch}/results?domain=${encodeURIComponent(domain)}`;
      expect((await call(service, path, { key: account.testKey })).body.code).toBe('invalid_input');
    },
  );
});

describe('the filter by mail operator', () => {
  it('the filter by mail operator gives the rows whose mail hosts the operator runs, and with none those of operators without a name', async () => {
    const emails = ['a@hosted.example', 'a@example.com', 'b@hosted.example', 'no address'];
    const batch = await submit(emails.join('\n'), 'text/plain');
    await expect.poll(async () => (await statusOf(batch)).status).toBe('completed');
    const addresses = async (query: string) =>
      (await get(`${batch}/results?${query}`)).body.results.map(({ email }: { email: string }) => email);
    expect(await addresses('provider=Migadu')).toEqual([emails[0], emails[2]]);
    expect(await addresses('provider=migadu&verdict=valid')).toEqual([emails[0], emails[2]]);
    expect(await addresses('provider=none')).toEqual([emails[1], emails[3]]);
    expect(await addresses('provider=Miga')).toEqual([]);
    expect(await addresses('provider=Migadu&domain=example.com')).toEqual([]);
    const { providers } = (await get(`${batch}/summary`)).body;
    for (const { provider, rows } of providers)
      expect(await addresses(`provider=${encodeURIComponent(provider ?? 'none')}`)).toHaveLength(rows);
  });

  it.each(['', 'x'.repeat(256)])('the filter by mail operator refuses %j', async (provider) => {
    const batch = await submit('a@one.com', 'text/plain', { key: account.testKey });
    expect((await call(service, `${batch}/results?provider=${provider}`, { key: account.testKey })).body.code).toBe(
      'invalid_input',
    );
  });
});
