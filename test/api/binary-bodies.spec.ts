import { deflateRawSync, gzipSync } from 'node:zlib';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { type Reply } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';

const CREDITS = 300;

let database: TestDatabase;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ database });
  account = await createFullAccount(database, { credits: CREDITS });
});

afterAll(async () => {
  await service.close();
  await database.drop();
});

interface Upload {
  readonly type: string;
  readonly route?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(bytes: Buffer, { type, route = '/api/v1/verify/batch', headers = {} }: Upload) {
  const response = await fetch(service.url + route, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.liveKey}`, 'content-type': type, ...headers },
    body: new Uint8Array(bytes),
  });
  return { status: response.status, body: (await response.json()) as Reply['body'] };
}

/** The file of a form, under the name and type that a browser gives it. */
function sendForm(bytes: Buffer, name: string, type: string) {
  const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  return send(Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')]), {
    type: 'multipart/form-data; boundary=b',
  });
}

/** One member of an archive (PKWARE APPNOTE 4.3.7), as its first bytes stand. */
function archive(member: string, content: string): Buffer {
  const name = Buffer.from(member);
  const packed = deflateRawSync(content.repeat(200));
  const head = Buffer.alloc(30);
  head.write('PK\x03\x04\x14', 'latin1');
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(packed.length, 18);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name, packed]);
}

const WORKBOOK = archive('[Content_Types].xml', '<Override PartName="/xl/workbook.xml"/>');
const LIST = 'email\r\njane@a.example\r\njohn@a.example\r\n';

const FILES: readonly (readonly [what: string, bytes: Buffer, named: string])[] = [
  ['an Excel workbook', WORKBOOK, 'an Excel workbook (.xlsx)'],
  ['an OpenDocument sheet', archive('mimetypeapplication/vnd.oasis.opendocument.spreadsheet', ''), 'an OpenDocument'],
  ['a Numbers document', archive('Index/Document.iwa', 'x'), 'a Numbers document'],
  ['a ZIP archive', archive('list.csv', LIST), 'a ZIP archive, not text. Send the file inside it.'],
  ['an empty ZIP archive', Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1'), 'a ZIP archive'],
  ['an old Excel file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'an old Office file (.xls, .doc)'],
  ['gzip without its header', gzipSync(LIST), 'gzip data, not text. Send it with Content-Encoding: gzip'],
  [
    'a PDF document',
    Buffer.from('%PDF-1.7\n%jane@a.example\n'),
    'a PDF document, not text. Send a text file, such as CSV.',
  ],
  ['a PNG image', Buffer.from('89504e470d0a1a0a', 'hex'), 'a PNG image'],
  ['a JPEG image', Buffer.from('ffd8ffe000104a464946', 'hex'), 'a JPEG image'],
  ['a GIF image', Buffer.from('GIF89a jane@a.example\n'), 'a GIF image'],
  ['a WebP image', Buffer.from('RIFF1234WEBPVP8 '), 'a WebP image'],
  ['a TIFF image', Buffer.from('49492a0008000000', 'hex'), 'a TIFF image'],
  ['a 7z archive', Buffer.from('377abcaf271c', 'hex'), 'a 7z archive'],
  ['an RTF document', Buffer.from('{\\rtf1\\ansi jane@a.example}'), 'an RTF document'],
];

async function expectNothingTaken(): Promise<void> {
  const reader = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  const [counted] = await reader.query<object[]>(
    `SELECT (SELECT count(*)::int FROM batches) AS batches, (SELECT count(*)::int FROM credit_ledger) AS entries,
            (SELECT available::int FROM credit_balances) AS available`,
  );
  await reader.destroy();
  expect(counted).toEqual({ batches: 0, entries: 1, available: CREDITS });
}

describe('a body that is no text', () => {
  for (const [what, bytes, named] of FILES) {
    it.each(['text/csv', 'text/csv; charset=latin1', 'text/plain', 'application/x-ndjson', 'application/json'])(
      `but ${what} is refused as %s for what it is, and nothing of it is kept or charged`,
      async (type) => {
        const { status, body } = await send(bytes, { type });
        expect([status, body.code, body.fields?.[0].field]).toEqual([422, 'invalid_input', 'body']);
        expect(body.fields[0].error).toContain(`body looks like ${named}`);
        await expectNothingTaken();
      },
    );

    it(`but ${what} is refused for what it is as the file of a form and inside gzip`, async () => {
      const replies = [
        await sendForm(bytes, 'people.csv', 'text/csv'),
        await sendForm(bytes, 'people.csv', 'application/vnd.ms-excel'),
        await sendForm(bytes, 'people.txt', 'text/plain'),
        await send(gzipSync(bytes), { type: 'text/csv', headers: { 'content-encoding': 'gzip' } }),
        await send(bytes, { type: 'text/csv', route: '/api/v1/finder/batch' }),
        await send(bytes, { type: 'text/csv', route: '/api/v1/verify/batch?hold=true' }),
      ];
      for (const { status, body } of replies) {
        expect([status, body.code]).toEqual([422, 'invalid_input']);
        expect(body.fields[0].error).toContain(`body looks like ${named}`);
      }
      await expectNothingTaken();
    });
  }

  it.each(['text/csv', 'text/csv; charset=latin1', 'text/plain', 'application/x-ndjson'])(
    'a body that is no text but has a NUL somewhere is refused as %s, and the lines before it are neither kept nor charged',
    async (type) => {
      const lines = Array.from({ length: 3_000 }, (_, i) => `"u${i}@a.example"\n`).join('');
      const { status, body } = await send(Buffer.from(`${lines}"a\0b@a.example"\n`), { type });
      expect([status, body.code]).toEqual([422, 'invalid_input']);
      expect(body.fields[0].error).toContain('NUL');
      await expectNothingTaken();
    },
  );
});

describe('a text', () => {
  it.each([
    ['UTF-16 with its mark', Buffer.from(`\uFEFF${LIST}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(LIST, 'utf16le')],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${LIST}`)],
    ['three bytes', Buffer.from('a@b')],
    ['addresses that begin like a signature', Buffer.from('email\r\nPK@a.example\r\nRIFF@a.example\r\n')],
    ['a header that begins like a signature', Buffer.from('BM,email\r\n1,jane@a.example\r\n2,x@a.example\r\n')],
  ])('a text that is %s is taken, for nothing while it is held', async (_, bytes) => {
    const { status } = await send(bytes, { type: 'text/csv', route: '/api/v1/verify/batch?hold=true' });
    expect(status).toBe(201);
  });
});
