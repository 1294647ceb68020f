import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ResultsStore } from '../../src/batch/results/results.store.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { startMailService } from '../support/mail-service.js';
import { recipientOf } from '../support/mail-scripts.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';
import { startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import type { TestService } from '../support/service.js';

const VERIFY = '/api/v1/verify/batch';
const FIND = '/api/v1/finder/batch';

let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  service = await startMailService({
    host: startScriptedSmtpServer({
      onLine: (line) => {
        const recipient = recipientOf(line);
        return recipient === null || /^(a|b|jane\.doe)@/.test(recipient) ? undefined : '550 5.1.1 User unknown';
      },
    }),
    dns: {
      zones: { 'example.com': { MX: [[10, 'mx.example.com']] }, 'mx.example.com': { A: ['127.0.0.1'] } },
    },
  });
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(() => service.close());

interface Row {
  readonly email: string;
  readonly verdict: string;
  readonly credits_charged: number;
  readonly columns?: Readonly<Record<string, string>>;
}

/** Sends a list and waits for its end. @returns the path of its results, and what it was charged */
async function finished(path: string, type: string, body: string): Promise<{ results: string; charged: number }> {
  const headers = { authorization: `Bearer ${account.liveKey}`, 'content-type': type };
  const sent = await fetch(service.url + path, { method: 'POST', headers, body });
  const { id } = (await sent.json()) as { id: number };
  expect(sent.status).toBe(201);
  const ended = await bodyOnce(() => call(service, `${path}/${id}`, { key: account.liveKey }), isCompleted);
  return { results: `${path}/${id}/results`, charged: ended.credits_charged };
}

async function text(path: string): Promise<string> {
  const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${account.liveKey}` } });
  expect(response.status).toBe(200);
  return response.text();
}

const json = async (path: string): Promise<Row[]> =>
  (await call(service, path, { key: account.liveKey })).body.results as Row[];
const idOf = (results: string) => Number(results.split('/').at(-2));

async function pages(results: string): Promise<Row[][]> {
  const found: Row[][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `${results}?limit=10000${cursor && `&cursor=${cursor}`}`;
    const { body } = await call(service, path, { key: account.liveKey });
    found.push(body.results);
    cursor = body.next_cursor;
  }
  return found;
}

const ndjson = async (path: string): Promise<Row[]> =>
  (await text(`${path}${path.includes('?') ? '&' : '?'}format=ndjson`))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

/** The fields of none of these tests have a comma or a quote in them. */
async function csv(path: string, query = ''): Promise<Record<string, string>[]> {
  const [header, ...lines] = (await text(`${path}?format=csv${query}`)).trimEnd().split('\r\n');
  const names = header!.split(',');
  expect(new Set(names).size).toBe(names.length);
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i], cell])));
}

const sum = (charges: readonly number[]) => charges.reduce((all, charge) => all + charge, 0);
const charges = (rows: readonly Row[]) => rows.map(({ credits_charged }) => credits_charged);

describe('credits_charged', () => {
  const SENT = [
    'a@example.com',
    'no@example.com',
    ' a@EXAMPLE.com',
    'b@example.com',
    'a@example.com',
    'one@nowhere.invalid',
    'one@nowhere.invalid',
  ];
  const CHARGES = [1, 1, 0, 1, 0, 1, 0];

  it('credits_charged of the rows sums to what the batch was charged, because the first row of an address has it all', async () => {
    const { results, charged } = await finished(VERIFY, 'application/json', JSON.stringify({ emails: SENT }));
    expect(charged).toBe(sum(CHARGES));
    expect(charges(await json(results))).toEqual(CHARGES);
    expect(charges(await ndjson(results))).toEqual(CHARGES);
    expect((await csv(results)).map((row) => Number(row['credits_charged']))).toEqual(CHARGES);
  });

  it('credits_charged is the same after a cursor and with a filter', async () => {
    const { results } = await finished(VERIFY, 'application/json', JSON.stringify({ emails: SENT }));
    const page = await call(service, `${results}?limit=2`, { key: account.liveKey });
    expect(charges(page.body.results)).toEqual([1, 1]);
    const rest = `${results}?cursor=${page.body.next_cursor}`;
    expect(charges(await json(rest))).toEqual(CHARGES.slice(2));
    expect(charges(await ndjson(rest))).toEqual(CHARGES.slice(2));
    const valid = (await json(`${results}?verdict=valid`)).map((row) => [row.email, row.credits_charged]);
    expect(valid).toEqual([
      ['a@example.com', 1],
      ['a@EXAMPLE.com', 0],
      ['b@example.com', 1],
      ['a@example.com', 0],
    ]);
    expect(charges(await ndjson(`${results}?verdict=valid`))).toEqual([1, 0, 1, 0]);
  });

  it('credits_charged is given for people as for addresses', async () => {
    const jane = { full_name: 'Jane Doe', domain: 'example.com' };
    const people = [jane, { full_name: 'Kim Poe', domain: 'example.com' }, jane, jane];
    const { results, charged } = await finished(FIND, 'application/json', JSON.stringify({ people }));
    const rows = await json(results);
    expect(rows[0]).toMatchObject({ email: 'jane.doe@example.com', credits_charged: 1 });
    expect(rows[2]).toMatchObject({ email: 'jane.doe@example.com', credits_charged: 0 });
    expect(sum(charges(rows))).toBe(charged);
    expect(charges(await ndjson(results))).toEqual(charges(rows));
    expect((await csv(results)).map((row) => Number(row['credits_charged']))).toEqual(charges(rows));
  });
});

describe('columns', () => {
  async function refusal(path: string, header: string) {
    const headers = { authorization: `Bearer ${account.liveKey}`, 'content-type': 'text/csv' };
    const reply = await fetch(service.url + path, { method: 'POST', headers, body: `${header}\na@example.com\n` });
    return [reply.status, ((await reply.json()) as { fields: { field: string }[] }).fields[0]!.field];
  }

  it.each([
    ['more than 256', `email,full_name,domain,${'x,'.repeat(254)}`],
    ['names of more than 8,192 characters', `email,full_name,domain,${'x'.repeat(8_200)}`],
  ])(
    '%s are refused, for addresses and for people, so that a short file cannot become long results',
    async (_, header) => {
      expect(await refusal(VERIFY, header)).toEqual([422, 'body']);
      expect(await refusal(FIND, header)).toEqual([422, 'body']);
    },
  );

  it('columns that a row leaves out are empty in its results', async () => {
    const { results } = await finished(VERIFY, 'text/csv', 'email,a,b\na@example.com\nb@example.com,1,2,3\n');
    expect((await json(results)).map((row) => row.columns)).toEqual([
      { a: '', b: '' },
      { a: '1', b: '2' },
    ]);
    expect((await csv(results)).map(({ a, b }) => [a, b])).toEqual([
      ['', ''],
      ['1', '2'],
    ]);
  });

  it('columns with the name of the verified one are renamed, so that nobody takes their value for the verified address', async () => {
    const { results } = await finished(VERIFY, 'text/csv', 'email,note,email\na@example.com,1,none\n');
    expect((await json(results))[0]).toMatchObject({
      email: 'a@example.com',
      columns: { note: '1', email_2: 'none' },
    });
    expect((await csv(results))[0]).toMatchObject({ email: 'a@example.com', email_2: 'none' });
  });

  it('columns of long rows make shorter pages, which together have all rows', async () => {
    const long = 'x'.repeat(60_000);
    const lines = Array.from({ length: 200 }, (_, i) => `no address ${i},${long}`);
    const { results } = await finished(VERIFY, 'text/csv', `email,note\n${lines.join('\n')}\n`);
    const all = await pages(results);
    expect(all.map(({ length }) => length)).toEqual([139, 61]);
    expect(all.flat().map(({ email }) => email)).toEqual(lines.map((line) => line.split(',')[0]));
  });

  it('columns of which each character takes six bytes are all read again, a page, a CSV and NDJSON', async () => {
    const cell = '\u0001'.repeat(60_000);
    // Three blocks of a thousand rows, the first two of which are nearly as large as they may be.
    const lines = Array.from({ length: 2_100 }, (_, i) => `no address ${i % 100},${i % 1_000 < 46 ? cell : ''}`);
    const { results } = await finished(VERIFY, 'text/csv', `email,note\n${lines.join('\n')}\n`);
    const store = service.app.get(ResultsStore);
    const findRows = (from: number) => store.findRows(service.app.get(DataSource).manager, idOf(results), from, 4);
    expect((await findRows(0)).map(({ number }) => number)).toEqual([0]);
    expect((await findRows(1)).map(({ number }) => number)).toEqual([1]);
    const [first] = await json(`${results}?limit=1`);
    expect(first!.columns!['note'] === cell).toBe(true);
    const isSame = (rows: readonly string[]) =>
      rows.length === lines.length && rows.every((row, i) => row === lines[i]);
    const rowsOf = (rows: readonly Row[]) => rows.map(({ email, columns }) => `${email},${columns!['note']}`);
    expect(isSame(rowsOf((await pages(results)).flat()))).toBe(true);
    expect(isSame((await csv(results)).map(({ email, note }) => `${email},${note}`))).toBe(true);
    expect(isSame(rowsOf(await ndjson(results)))).toBe(true);
  });

  it('columns that are too large to be read again are refused, and nothing of them stays', async () => {
    const cell = '\u0001'.repeat(60_000);
    const lines = Array.from({ length: 1_600 }, (_, i) => `u${i}@example.com,${i >= 1_000 && i < 1_047 ? cell : ''}`);
    const headers = { authorization: `Bearer ${account.liveKey}`, 'content-type': 'text/csv' };
    const body = `email,note\n${lines.join('\n')}\n`;
    const sent = await fetch(service.url + VERIFY, { method: 'POST', headers, body });
    const refused = (await sent.json()) as { code: string; fields: { field: string; error: string }[] };
    expect([sent.status, refused.code, refused.fields[0]!.field]).toEqual([422, 'invalid_input', 'body']);
    expect(refused.fields[0]!.error).toContain('each 1000 rows may have 16 MiB there');
    expect((await call(service, VERIFY, { key: account.liveKey })).body.batches).toEqual([]);
  });

  it('columns that have the same name are all kept, under names that differ', async () => {
    const list = 'note,Email,note,note_2,note,,\n1,a@example.com,2,3,4,5,6\n';
    const { results } = await finished(VERIFY, 'text/csv', list);
    const kept = { note: '1', note_3: '2', note_2: '3', note_4: '4', column_6: '5', column_7: '6' };
    expect((await json(results))[0]!.columns).toEqual(kept);
    expect((await ndjson(results))[0]!.columns).toEqual(kept);
    expect((await csv(results))[0]).toMatchObject({ Email: 'a@example.com', verdict: 'valid', ...kept });
  });

  it('columns of the customer keep their name in a CSV, where a result column of that name has a prefix', async () => {
    const list = 'Email,verdict,mailsonde_verdict,checks.smtp,email\na@example.com,old,older,oldest,second\n';
    const { results } = await finished(VERIFY, 'text/csv', list);
    expect((await csv(results, '&fields=all'))[0]).toMatchObject({
      Email: 'a@example.com',
      verdict: 'old',
      mailsonde_verdict: 'older',
      mailsonde_verdict_2: 'valid',
      'checks.smtp': 'oldest',
      'mailsonde_checks.smtp': 'pass',
      email: 'second',
      mailsonde_email: 'a@example.com',
    });
    const columns = { verdict: 'old', mailsonde_verdict: 'older', 'checks.smtp': 'oldest', email: 'second' };
    expect((await json(results))[0]).toMatchObject({ email: 'a@example.com', verdict: 'valid', columns });
  });

  it('columns of people are kept as well', async () => {
    const list = 'name,domain,domain,reason\nJane Doe,example.com,other.example,ours\n';
    const { results } = await finished(FIND, 'text/csv', list);
    const kept = { name: 'Jane Doe', domain: 'example.com', domain_2: 'other.example', reason: 'ours' };
    expect((await json(results))[0]!.columns).toEqual(kept);
    expect((await csv(results))[0]).toMatchObject({ ...kept, mailsonde_domain: 'example.com' });
  });

  it('columns of one name are all kept, even in a header of nothing else with as many as it may have', async () => {
    const list = `e-mail${',a'.repeat(255)}\na@example.com${',1'.repeat(255)}\n`;
    const { results } = await finished(VERIFY, 'text/csv', list);
    expect(Object.keys((await json(results))[0]!.columns!)).toHaveLength(255);
  });
});
