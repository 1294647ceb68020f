import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, type Reply } from '../support/call.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';
import { startService, type TestService } from '../support/service.js';
import { workbookOf } from '../support/workbooks.js';

const BATCHES = '/api/v1/verify/batch';
const PREVIEW = '/api/v1/verify/preview';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const CUSTOMERS = workbookOf({
  sheets: [
    { name: 'Read me', rows: [['Exported on Monday']] },
    { name: 'Old', state: 'hidden', rows: [['email'], ['old+invalid@example.com']] },
    {
      name: 'Customers',
      rows: [
        ['Name', 'E-Mail', 'Telephone'],
        ['Jürgen', 'jane+valid@example.com', 491711234567],
        ['Doe, Jane', 'john+invalid@example.com', null],
      ],
    },
  ],
});

let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  service = await startService();
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(async () => {
  await service.close();
});

async function send(bytes: Buffer, path = BATCHES, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.testKey}`, 'content-type': XLSX, ...headers },
    body: new Uint8Array(bytes),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Reply['body'] };
}

async function resultsOf({ status, body }: Reply): Promise<string> {
  expect([status, body.fields]).toEqual([201, undefined]);
  await bodyOnce(() => call(service, `${BATCHES}/${body.id}`, { key: account.testKey }), isCompleted);
  const response = await fetch(`${service.url}${BATCHES}/${body.id}/results?format=csv&fields=verdict`, {
    headers: { authorization: `Bearer ${account.testKey}` },
  });
  return response.text();
}

const VERIFIED = [
  'Name,E-Mail,Telephone,verdict',
  'Jürgen,jane+valid@example.com,491711234567,valid',
  '"Doe, Jane",john+invalid@example.com,,invalid',
  '',
].join('\r\n');

/** The file of a form, under the name and type that a browser gives it. */
function form(bytes: Buffer, name: string, type: string, fields: Readonly<Record<string, string>> = {}) {
  const parts = Object.entries(fields).map(
    ([field, value]) => `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(parts.join('') + head), bytes, Buffer.from('\r\n--b--\r\n')]);
  return send(body, BATCHES, { 'content-type': 'multipart/form-data; boundary=b' });
}

it('an Excel workbook is verified like the CSV of its sheet, and comes back in its own layout', async () => {
  expect(await resultsOf(await send(CUSTOMERS))).toBe(VERIFIED);
});

it.each([
  ['customers.xlsx', XLSX],
  ['CUSTOMERS.XLSX', 'application/octet-stream'],
  ['customers.xlsm', 'application/vnd.ms-excel.sheet.macroEnabled.12'],
])('an Excel workbook is taken as the file %s of a form of type %s', async (name, type) => {
  expect(await resultsOf(await form(CUSTOMERS, name, type))).toBe(VERIFIED);
});

it('an Excel workbook is taken within gzip', async () => {
  expect(await resultsOf(await send(gzipSync(CUSTOMERS), BATCHES, { 'content-encoding': 'gzip' }))).toBe(VERIFIED);
});

it.each([
  ['a query', (sheet: string) => send(CUSTOMERS, `${BATCHES}?hold=true&sheet=${sheet}`)],
  ['a form', (sheet: string) => form(CUSTOMERS, 'a.xlsx', XLSX, { sheet })],
])(
  'the sheet that %s names is read, and a name that is none of them is refused with those that there are',
  async (_, ask) => {
    expect((await ask('Old')).body).toMatchObject({ total_emails: 1 });
    const { status, body } = await ask('Alt');
    expect([status, body.fields[0].field]).toEqual([422, 'sheet']);
    expect(body.fields[0].error).toContain('"Read me", "Old", "Customers"');
  },
);

it('a workbook that is sent as CSV says as what it is to be sent, and nothing of it is charged', async () => {
  const { status, body } = await send(CUSTOMERS, BATCHES, { 'content-type': 'text/csv' });
  expect([status, body.fields[0].field]).toEqual([422, 'body']);
  expect(body.fields[0].error).toContain(XLSX);
});

it('people are found by the rows of an Excel workbook', async () => {
  const rows = [
    ['first_name', 'last_name', 'domain'],
    ['Jane', 'Doe', 'example.com'],
  ];
  const { status, body } = await send(workbookOf({ sheets: [{ rows }] }), '/api/v1/finder/batch?hold=true');
  expect([status, body.total_people]).toEqual([201, 1]);
});

it.each([
  ['sheet', 'text/csv', Buffer.from('email\na@example.com\n'), 'sheet=2'],
  ['delimiter', XLSX, CUSTOMERS, 'delimiter=comma'],
])('a %s that is said of a file of type %s, which has none, is refused', async (field, type, bytes, query) => {
  for (const path of [`${BATCHES}?hold=true&${query}`, `${PREVIEW}?${query}`]) {
    const { status, body } = await send(bytes, path, { 'content-type': type });
    expect([path, status, body.fields?.[0].field]).toEqual([path, 422, field]);
  }
});

it('a form with more fields than there are settings is refused: one that nobody reads may be a limit', async () => {
  const names = Array.from({ length: 21 }, (_, i) => (i === 20 ? 'max_credits' : 'name'));
  const parts = names.map((name) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n`);
  const { status, body } = await send(Buffer.from(`${parts.join('')}--b--\r\n`), BATCHES, {
    'content-type': 'multipart/form-data; boundary=b',
  });
  expect([status, body.fields]).toEqual([422, [{ field: 'body', error: 'body may have at most 20 fields' }]]);
});

it('a preview tells how a table would be read, for nothing, and keeps none of it', async () => {
  const before = await call(service, BATCHES, { key: account.testKey });
  const { status, body } = await send(CUSTOMERS, PREVIEW);
  expect([status, body]).toEqual([
    200,
    {
      content_type: XLSX,
      charset: null,
      delimiter: null,
      sheets: [
        { name: 'Read me', is_hidden: false },
        { name: 'Old', is_hidden: true },
        { name: 'Customers', is_hidden: false },
      ],
      sheet: 'Customers',
      has_header: true,
      columns: ['Name', 'E-Mail', 'Telephone'],
      email_column: 2,
      candidates: [2],
      rows: [
        ['Jürgen', 'jane+valid@example.com', '491711234567'],
        ['Doe, Jane', 'john+invalid@example.com', ''],
      ],
    },
  ]);
  const csv = await send(Buffer.from('Jürgen;a@example.com\n', 'latin1'), PREVIEW, {
    'content-type': 'text/csv',
  });
  expect(csv.body).toMatchObject({
    content_type: 'text/csv; charset=windows-1252',
    delimiter: 'semicolon',
    sheets: null,
  });
  expect((await call(service, BATCHES, { key: account.testKey })).body).toEqual(before.body);
});

it('a preview takes tables alone', async () => {
  const { status, body } = await send(Buffer.from('{"emails":[]}'), PREVIEW, {
    'content-type': 'application/json',
  });
  expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
});
