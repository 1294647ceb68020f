import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';
import { startService, type TestService } from '../support/service.js';

const BATCHES = '/api/v1/verify/batch';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SENT = [
  'Name,E-Mail,Note',
  'Jürgen,jane+valid@example.com,=1+1',
  '"Doe, <Jane> & ""Co""",john+invalid@example.com,+49 30 901820',
  'Ana,ana+valid@example.com,\u0001\uFFFF 日本語',
];

let service: TestService;
let account: FullAccount;
let id: number;

beforeAll(async () => {
  service = await startService();
  account = await createFullAccount({ url: service.env.databaseUrl });
  id = await sent(SENT.join('\n'), 'Customers.csv');
});

afterAll(async () => {
  await service.close();
});

async function sent(csv: string, name: string): Promise<number> {
  const response = await fetch(`${service.url}${BATCHES}?name=${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.testKey}`, 'content-type': 'text/csv' },
    body: csv,
  });
  const { id: batch } = (await response.json()) as { id: number };
  await bodyOnce(() => call(service, `${BATCHES}/${batch}`, { key: account.testKey }), isCompleted);
  return batch;
}

const download = (query: string, of = id): Promise<Response> =>
  fetch(`${service.url}${BATCHES}/${of}/results?${query}`, { headers: { authorization: `Bearer ${account.testKey}` } });

async function filesOf(query: string): Promise<Map<string, string>> {
  const archive = await fromBufferPromise(Buffer.from(await (await download(query)).arrayBuffer()), {
    lazyEntries: true,
  });
  const files = new Map<string, string>();
  for await (const entry of archive.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await archive.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    files.set(entry.fileName, Buffer.concat(pieces).toString());
  }
  return files;
}

describe('results as a workbook', () => {
  it('results as a workbook are read again by the service as they were sent, formulas as texts, and named after the list', async () => {
    const file = await download('format=xlsx&fields=verdict');
    expect([file.status, file.headers.get('content-type'), file.headers.get('content-encoding')]).toEqual([
      200,
      XLSX,
      null,
    ]);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename=Customers.xlsx');
    const preview = await fetch(`${service.url}/api/v1/verify/preview`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.testKey}`, 'content-type': XLSX },
      body: await file.arrayBuffer(),
    });
    expect(await preview.json()).toMatchObject({
      sheet: 'Results',
      columns: ['Name', 'E-Mail', 'Note', 'verdict'],
      rows: [
        ['Jürgen', 'jane+valid@example.com', '=1+1', 'valid'],
        ['Doe, <Jane> & "Co"', 'john+invalid@example.com', '+49 30 901820', 'invalid'],
        ['Ana', 'ana+valid@example.com', '\uFFFD\uFFFD 日本語', 'valid'],
      ],
    });
  });

  it('results as a workbook have the rows and the columns that are asked for, and no byte order mark', async () => {
    const sheet = (await filesOf('format=xlsx&fields=verdict&verdict=invalid')).get('xl/worksheets/sheet1.xml');
    expect(sheet?.match(/<row>/g)).toHaveLength(2);
    const refused = await download('format=xlsx&bom=true');
    const { fields } = (await refused.json()) as { fields: unknown };
    expect([refused.status, fields]).toEqual([422, [{ field: 'bom', error: 'bom needs format=csv or zip' }]]);
  });
});

describe('results as an archive', () => {
  it('results as an archive are a CSV for each verdict that rows have, in their own layout, and a page of figures', async () => {
    const files = await filesOf('format=zip&fields=verdict');
    expect([...files.keys()]).toEqual(['Customers-valid.csv', 'Customers-invalid.csv', 'summary.pdf']);
    expect(files.get('Customers-valid.csv')).toBe(
      ['Name,E-Mail,Note,verdict', `Jürgen,jane+valid@example.com,=1+1,valid`, `${SENT[3]},valid`, ''].join('\r\n'),
    );
    expect(files.get('summary.pdf')).toMatch(
      /^%PDF-1\.4\n[^]*\(Customers\)[^]*\(3 rows, verified by [^]*\(66\.7%\)[^]*%%EOF\n$/,
    );
  });

  it('results as an archive have a list whose name no file system allows, and the verdicts that are asked for', async () => {
    const list = await sent(SENT.join('\n'), encodeURIComponent('../a:b (日本)\\.xlsx'));
    const file = await download('format=zip&verdict=invalid', list);
    expect(file.headers.get('content-disposition')).toContain("filename*=UTF-8''..%20a%20b%20%28%E6%97%A5%E6%9C%AC%29");
    const text = Buffer.from(await file.arrayBuffer()).toString('latin1');
    expect(text).toContain('a b (');
    expect(text).not.toContain('-valid.csv');
  });

  it('results as an archive are refused while the batch runs, as rows would come that a verdict has not yet', async () => {
    const { body } = await call(service, `${BATCHES}?hold=true`, {
      key: account.testKey,
      body: { emails: ['a@example.com'] },
    });
    const file = await download('format=zip&partial=true', Number(body.id));
    expect([file.status, await file.json()]).toMatchObject([422, { fields: [{ field: 'partial' }] }]);
  });
});
