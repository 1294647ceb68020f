import { describe, expect, it } from 'vitest';
import { workbookOf } from '../../../test/support/workbooks.js';
import { previewOf, type TablePreview } from './table-preview.js';
import { XLSX } from './workbook-reader.js';

const ALONE = {
  nextSlice: () => Promise.resolve(),
  workbookPlace: () => Promise.resolve({ release: () => undefined }),
};
const UNSAID = { delimiter: null, sheet: null, hasHeader: null } as const;

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
}

/** @param sent a text is UTF-8 */
function preview(sent: string | Buffer, said: object = {}, charset: string | null = null): Promise<TablePreview> {
  const bytes = typeof sent === 'string' ? Buffer.from(sent) : sent;
  return previewOf({ bytes: inPieces(bytes), charset, ...ALONE }, { ...UNSAID, ...said });
}

describe('the preview of a text', () => {
  it.each([
    ['a,Email,b\nx,jane@example.com,y\n', 'comma', 2],
    ['Name;E-Mail\nJürgen;jane@example.com', 'semicolon', 2],
    ['e-mail address\tname\r\njane@example.com\tJane\r\n', 'tab', 1],
    ['name|where\nJane|jane@example.com', 'bar', 2],
    ['jane@example.com\njohn@example.org', 'comma', 1],
    ['Jane,jane@example.com', 'comma', 2],
    ['email\njane@example.com', 'comma', 1],
    ['"last, first",mail\n"Doe, Jane",jane@example.com', 'comma', 2],
  ])('the preview of a text finds delimiter and addresses in %j', async (text, delimiter, emailColumn) => {
    expect(await preview(text)).toMatchObject({ delimiter, emailColumn, candidates: [emailColumn], sheets: null });
  });

  it('the preview of a text reads the columns by what a person says divides them', async () => {
    const text = 'a,b;Adresse\nx,y;jane@example.com';
    expect(await preview(text, { delimiter: 'comma' })).toMatchObject({ delimiter: 'comma', emailColumn: null });
    expect(await preview(text)).toMatchObject({
      delimiter: 'semicolon',
      columns: ['a,b', 'Adresse'],
      rows: [['x,y', 'jane@example.com']],
      emailColumn: 2,
    });
  });

  it('the preview of a text tells a header from a row, unless a person tells it', async () => {
    expect(await preview('name,email\nJane,jane@example.com')).toMatchObject({ columns: ['name', 'email'] });
    const headerless = { hasHeader: false, columns: ['column_1', 'column_2'], rows: [['Jane', 'jane@example.com']] };
    expect(await preview('Jane,jane@example.com')).toMatchObject(headerless);
    expect(await preview('jane\njohn')).toMatchObject({ hasHeader: false, columns: ['column_1'] });
    expect(await preview('jane\njohn', { hasHeader: true })).toMatchObject({ columns: ['jane'], rows: [['john']] });
  });

  it('the preview of a text asks when two columns hold addresses, and names both', async () => {
    const text = 'from,to\na@a.example,b@b.example\nc@a.example,d@b.example';
    expect(await preview(text)).toMatchObject({ emailColumn: null, candidates: [1, 2], rows: expect.any(Array) as [] });
  });

  it('the preview of a text reads quotes, quotes in quotes and lines in quotes', async () => {
    const { rows } = await preview('name,email\n"Jane ""JD"" Doe\nof Köln",jane@example.com\n\n');
    expect(rows).toEqual([['Jane "JD" Doe\nof Köln', 'jane@example.com']]);
  });

  it.each([
    ['lines', (i: number) => `jane${i}@example.com,${'x'.repeat(700)}\n`, 'email,note\n'],
    ['lines within quotes', (i: number) => `jane${i}@example.com,"${'x\n'.repeat(350)}"\n`, 'email,note\n'],
  ])(
    'the preview of a text that is longer than it looks at shows twenty rows, and none that is cut off: %s',
    async (_, row, head) => {
      const text = head + Array.from({ length: 200 }, (__, i) => row(i)).join('');
      const { rows, emailColumn } = await preview(text);
      expect([rows.length, emailColumn]).toEqual([20, 1]);
      expect(rows.map(([email]) => email)).toEqual(Array.from({ length: 20 }, (__, i) => `jane${i}@example.com`));
      expect(rows[0]![1]!.length).toBeLessThanOrEqual(200);
    },
  );

  it('the preview of a text of one endless row is refused, and takes no more of it than it looks at', async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.alloc(1_000, (taken += 1) === 1 ? 'a' : '"');
    }
    await previewOf({ bytes: endless(), charset: null, ...ALONE }, UNSAID);
    expect(taken).toBe(66);
  });

  it.each([
    ['utf-8', Buffer.from('name,email\nJürgen,a@example.com')],
    ['windows-1252', Buffer.from('Jürgen,a@example.com', 'latin1')],
    ['utf-16le', Buffer.from('\ufeffJürgen,a@example.com', 'utf16le')],
    ['utf-16le', Buffer.from(`\ufeff${'Jürgen,a@example.com\n'.repeat(4_000)}`, 'utf16le')],
    ['utf-16be', Buffer.from('\ufeffJürgen,a@example.com', 'utf16le').swap16()],
    ['utf-16be', Buffer.from(`\ufeff${'Jürgen,a@example.com\n'.repeat(4_000)}`, 'utf16le').swap16()],
  ])('the preview of a text finds out that it is %s', async (charset, bytes) => {
    const found = await preview(bytes);
    expect(found).toMatchObject({ charset, contentType: `text/csv; charset=${charset}`, emailColumn: 2 });
    expect(found.rows.map(([name]) => name)).toEqual(found.rows.map(() => 'Jürgen'));
  });

  it('the preview of a text shows what a charset that a person names makes of it, right or wrong', async () => {
    const bytes = Buffer.from('Jürgen,a@example.com', 'latin1');
    expect((await preview(bytes, {}, 'utf-8')).rows[0]![0]).toBe('J\ufffdrgen');
    await expect(preview(bytes, {}, 'klingon')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('the preview of a text shows nothing of an empty file, and leaves the column open where none holds addresses', async () => {
    expect(await preview('')).toMatchObject({ rows: [], emailColumn: null, candidates: [], columns: [] });
    expect(await preview('a,b\nc,d')).toMatchObject({ emailColumn: null, candidates: [] });
  });

  it.each([
    ['%PDF-1.7 jane@example.com', 'PDF'],
    ['abc,d\0e', 'NUL'],
  ])('the preview of what is no text says so: %j', async (text, sentence) => {
    const refused: unknown = await preview(text).catch((error: unknown) => error);
    expect(JSON.stringify(refused)).toContain(sentence);
  });
});

describe('the preview of a workbook', () => {
  const sheets = [
    { name: 'Notes', rows: [['Read me', 'first']] },
    { name: 'Old', state: 'hidden' as const, rows: [['email'], ['old@a.example']] },
    {
      name: 'Customers',
      rows: [
        ['Name', 'Mail'],
        ['Jane', 'jane@a.example'],
      ],
    },
  ];

  it('the preview of a workbook names its sheets, and shows the first one with addresses', async () => {
    expect(await preview(workbookOf({ sheets }))).toEqual({
      contentType: XLSX,
      charset: null,
      delimiter: null,
      sheets: [
        { name: 'Notes', isHidden: false },
        { name: 'Old', isHidden: true },
        { name: 'Customers', isHidden: false },
      ],
      sheet: 'Customers',
      hasHeader: true,
      columns: ['Name', 'Mail'],
      emailColumn: 2,
      candidates: [2],
      rows: [['Jane', 'jane@a.example']],
    });
  });

  it('the preview of a workbook shows the sheet that a person chooses', async () => {
    const { sheet, rows } = await preview(workbookOf({ sheets }), { sheet: 'Old' });
    expect([sheet, rows]).toEqual(['Old', [['old@a.example']]]);
  });

  it('the preview of a workbook without addresses leaves the sheet open', async () => {
    const none = [sheets[0]!, { name: 'Empty', rows: [] }];
    expect(await preview(workbookOf({ sheets: none }))).toMatchObject({ sheet: null, emailColumn: null, rows: [] });
  });

  it('the preview of a broken workbook is refused', async () => {
    const broken = workbookOf({ sheets, parts: { 'xl/worksheets/sheet1.xml': 'a,b' } });
    await expect(preview(broken)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { fields: [{ field: 'body' }] },
    });
  });
});
