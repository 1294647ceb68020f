import { describe, expect, it } from 'vitest';
import { workbookOf, type WrittenWorkbook } from '../../../test/support/workbooks.js';
import { readBody, settingsOf } from '../intake/body.js';
import type { AppError } from '../../platform/errors/app-error.js';
import type { IntakeSettings, RowKind } from './sent-body.js';
import { XLSX } from './workbook-reader.js';

const ALONE = {
  nextSlice: () => Promise.resolve(),
  workbookPlace: () => Promise.resolve({ release: () => undefined }),
};

interface Read {
  readonly items: readonly string[];
  readonly own: readonly (readonly string[] | null)[];
  readonly settings: IntakeSettings;
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

async function read(bytes: Buffer, query: object = {}, kind: RowKind = 'addresses', pace = ALONE): Promise<Read> {
  const settings = settingsOf(query);
  const body = { stream: inPieces(bytes), contentType: XLSX, contentEncoding: '', refusesUnknown: true, ...pace };
  const rows = [];
  for await (const piece of readBody(body, kind, settings)) rows.push(...piece);
  return { items: rows.map(({ item }) => item), own: rows.map(({ extraColumns }) => extraColumns), settings };
}

const sheet = (...rows: WrittenWorkbook['sheets'][number]['rows']) => ({ sheets: [{ rows }] });

describe('a workbook', () => {
  it.each([true, false])(
    'a workbook is read as its CSV would be, whether its texts are in the cells: %s',
    async (isInline) => {
      const written = sheet(
        ['Name', 'E-Mail', 'City'],
        ['Jane & Co', 'jane@a.example', null],
        ['Ömür', 'o@b.example', 'Bonn'],
      );
      const { items, own, settings } = await read(workbookOf({ ...written, isInline }));
      expect(items).toEqual(['jane@a.example', 'o@b.example']);
      expect(own).toEqual([
        ['Jane & Co', ''],
        ['Ömür', 'Bonn'],
      ]);
      expect(settings.columns).toMatchObject({ names: ['Name', 'City'], layout: { column: 1, name: 'E-Mail' } });
    },
  );

  it('a cell comes as Excel shows it: dates by their style, whole telephone numbers, the last value of a formula, no reading aids', async () => {
    const cells = [
      { xml: '<c s="1"><v>45000</v></c>' },
      { xml: '<c s="2"><v>45000.75</v></c>' },
      { xml: '<c s="0"><v>491711234567</v></c>' },
      { xml: '<c s="3"><v>1.5E-2</v></c>' },
      { xml: '<c t="str"><f>A1&amp;"x"</f><v>=kept</v></c>' },
      { xml: '<c t="b"><v>1</v></c>' },
      { xml: '<c t="e"><v>#N/A</v></c>' },
      { xml: '<c t="inlineStr"><is><r><t>Ken</t></r><r><t> Ito</t></r><rPh sb="0" eb="1"><t>ケン</t></rPh></is></c>' },
      { xml: '<c t="inlineStr"><is><t>two_x000A_lines_x0000_</t></is></c>' },
      { xml: '<c t="d"><v>2024-05-06T00:00:00</v></c>' },
    ];
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="[$-407]dd\\.mm\\.yyyy hh:mm"/><numFmt numFmtId="165" formatCode="0.0&quot;days&quot;"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs><dxfs/>';
    const rows = [
      ['email', ...cells.map((_, i) => `c${i}`)],
      ['a@a.example', ...cells],
    ];
    const { own } = await read(workbookOf({ ...sheet(...rows), styles }));
    expect(own[0]).toEqual([
      '2023-03-15',
      '2023-03-15T18:00:00',
      '491711234567',
      '0.015',
      '=kept',
      'TRUE',
      '#N/A',
      'Ken Ito',
      'two\nlines',
      '2024-05-06T00:00:00',
    ]);
  });

  it.each([
    ['from 1900', '', '1900-01-01', '2023-03-15'],
    ['from 1904, as on old Macs', 'date1904="1"', '1904-01-02', '2027-03-16'],
  ])('a date of a workbook that counts days %s is the date that Excel shows', async (_, properties, first, later) => {
    const date = (days: number) => ({ xml: `<c s="1"><v>${days}</v></c>` });
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';
    const rows = [
      ['email', 'since'],
      ['a@a.example', date(1)],
      ['b@a.example', date(45_000)],
    ];
    const { own } = await read(workbookOf({ ...sheet(...rows), properties, styles }));
    expect(own).toEqual([[first], [later]]);
  });

  it('the first sheet with addresses is read that is not hidden, whatever stands before it', async () => {
    const sheets = [
      { name: 'Notes', rows: [['Read me'], ['Call Jane first']] },
      { name: 'Old', state: 'hidden' as const, rows: [['email'], ['old@a.example']] },
      { name: 'Empty', rows: [] },
      { name: 'Customers', rows: [['email'], ['new@a.example']] },
    ];
    expect((await read(workbookOf({ sheets }))).items).toEqual(['new@a.example']);
  });

  it.each([
    ['Old', ['old@a.example']],
    [' customers ', ['new@a.example']],
    ['2', ['old@a.example']],
    ['1', ['Call Jane first']],
  ])('the sheet that a caller names, %j, is read, though it is hidden or holds no address', async (named, items) => {
    const sheets = [
      { name: 'Notes', rows: [['email'], ['Call Jane first']] },
      { name: 'Old', state: 'veryHidden' as const, rows: [['email'], ['old@a.example']] },
      { name: 'Customers', rows: [['email'], ['new@a.example']] },
    ];
    expect((await read(workbookOf({ sheets }), { sheet: named })).items).toEqual(items);
  });

  it('a sheet that the workbook does not have is refused with those that it has', async () => {
    const sheets = [
      { name: 'Notes', rows: [] },
      { name: 'Customers', rows: [['a@a.example']] },
    ];
    await expect(read(workbookOf({ sheets }), { sheet: 'Kunden' })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { fields: [{ field: 'sheet', error: expect.stringContaining('"Notes", "Customers"') as string }] },
    });
  });

  it('a workbook of several sheets without an address in any is asked about, and nothing of it is taken', async () => {
    const sheets = [
      { name: 'A', rows: [['x', 'y']] },
      { name: 'B', rows: [['1', '2']] },
    ];
    await expect(read(workbookOf({ sheets }))).rejects.toMatchObject({
      code: 'invalid_input',
      details: { fields: [{ field: 'sheet' }] },
    });
  });

  it('a row is read though its cells and rows have no references, it skips columns, or cells are merged', async () => {
    const rows =
      '<row><c t="inlineStr"><is><t>email</t></is></c><c t="inlineStr"><is><t>name</t></is></c></row>' +
      '<row r="7"><c r="B7" t="inlineStr"><is><t>Jane</t></is></c></row><row/>' +
      '<row><c t="inlineStr"><is><t>a@a.example</t></is></c></row>';
    const part = `<x:worksheet xmlns:x="y"><x:sheetData>${rows.replaceAll(/<(\/?)(\w)/g, '<$1x:$2')}</x:sheetData><x:mergeCells><x:mergeCell ref="A1:B1"/></x:mergeCells></x:worksheet>`;
    const { items, own } = await read(workbookOf({ ...sheet(), parts: { 'xl/worksheets/sheet1.xml': part } }));
    expect(items).toEqual(['', 'a@a.example']);
    expect(own).toEqual([['Jane'], ['']]);
  });

  it('ten thousand rows whose first cells are empty lose none', async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => [null, `u${i}@a.example`]);
    const { items } = await read(workbookOf(sheet(['id', 'email'], ...rows)));
    expect(items).toHaveLength(10_000);
    expect(items.at(-1)).toBe('u9999@a.example');
  });

  it('a workbook of people is read from its first sheet that is not hidden', async () => {
    const rows = [
      ['first_name', 'last_name', 'domain'],
      ['Jane', 'Doe', 'a.example'],
    ];
    expect((await read(workbookOf(sheet(...rows)), {}, 'people')).items).toHaveLength(1);
  });

  it('a large workbook waits for one place, and gives it back when its reader has had enough', async () => {
    const events: string[] = [];
    const pace = {
      ...ALONE,
      workbookPlace: () => {
        events.push('taken');
        return Promise.resolve({ release: () => void events.push('given back') });
      },
    };
    const rows = Array.from({ length: 120_000 }, (_, i) => [`u${i}@a.example`]);
    const bytes = workbookOf({ ...sheet(['email'], ...rows), isInline: true });
    expect(bytes.length).toBeGreaterThan(1_000);
    expect((await read(bytes, {}, 'addresses', pace)).items).toHaveLength(120_000);
    expect(events).toEqual(['taken', 'given back']);
    const body = { stream: inPieces(bytes), contentType: XLSX, contentEncoding: '', refusesUnknown: true, ...pace };
    for await (const _ of readBody(body, 'addresses', settingsOf({}))) if (events.length === 3) break;
    expect(events).toEqual(['taken', 'given back', 'taken', 'given back']);
  });
});

const ROWS = sheet(['email'], ['a@a.example']);
const SHEET = 'xl/worksheets/sheet1.xml';
const withSheet = (xml: string) => workbookOf({ ...ROWS, parts: { [SHEET]: xml } });
const withPart = (name: string, xml: string, ending = '.xml') =>
  workbookOf({ ...ROWS, parts: { [`xl/${name}${ending}`]: xml } });
const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const row = (cells: string) => `<worksheet><sheetData><row>${cells}</row></sheetData></worksheet>`;

describe('a hostile workbook', () => {
  const laughs = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
  const whole = workbookOf(ROWS);
  const directoryAt = whole.lastIndexOf('PK\x01\x02');
  const sheetAt = whole.indexOf(SHEET) + SHEET.length;

  it.each<[string, Buffer]>([
    ['is nothing', Buffer.alloc(0)],
    ['is text', Buffer.from('email\na@a.example\n')],
    ['is cut off', whole.subarray(0, -40)],
    ['is cut in half', whole.subarray(0, whole.length / 2)],
    [
      'ends in the middle of its contents',
      Buffer.concat([whole.subarray(0, directoryAt), Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1')]),
    ],
    ['has a changed byte', whole.map((byte, i) => (i === sheetAt + 60 ? byte ^ 1 : byte)) as Buffer],
    ['has entities that grow', withSheet(`<!DOCTYPE w [<!ENTITY l0 "ha">${laughs}]>${row(cell('&l10;'))}`)],
    [
      'names a file of the machine',
      withSheet(`<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]>${row(cell('&x;'))}`),
    ],
    ['is nested a thousand times', withSheet('<a>'.repeat(1_000) + '</a>'.repeat(1_000))],
    ['is no XML', withSheet('email,a@a.example')],
    ['has no end', withSheet('<worksheet><sheetData>')],
    ['has a cell of a megabyte', withSheet(row(cell('a'.repeat(1_000_000))))],
    ['has a tag of a megabyte', withSheet(`<worksheet a="${'a'.repeat(1_000_000)}"/>`)],
    ['has a comment of a megabyte', withSheet(`<!--${'a'.repeat(1_000_000)}-->${row('')}`)],
    [
      'has a cell of runs that never end',
      withSheet(row(`<c t="inlineStr"><is>${'<t>aaaaaaaa</t>'.repeat(9_000)}</is></c>`)),
    ],
    [
      'has a text of runs that never end',
      withPart('sharedStrings', `<sst><si>${'<t>aaaaaaaa</t>'.repeat(9_000)}</si></sst>`),
    ],
    ['has styles that never end', withPart('styles', `<x><cellXfs>${'<xf/>'.repeat(70_000)}</cellXfs></x>`)],
    [
      'has formats that never end',
      withPart(
        'styles',
        `<x>${Array.from({ length: 70_000 }, (_, i) => `<numFmt numFmtId="${i + 200}" formatCode="yy"/>`).join('')}</x>`,
      ),
    ],
    [
      'has sheets that never end',
      withPart('workbook', `<x><sheets>${'<sheet name="a" r:id="rId1"/>'.repeat(1_001)}</sheets></x>`),
    ],
    [
      'has contents with a name of three kilobytes',
      workbookOf({ ...ROWS, parts: { [`xl/${'a'.repeat(3_000)}.xml`]: '<a/>' } }),
    ],
    [
      'has relations that never end',
      withPart(
        '_rels/workbook',
        `<x>${'<Relationship Id="a" Type="b/c" Target="d.xml"/>'.repeat(10_001)}</x>`,
        '.xml.rels',
      ),
    ],
    ['has a text that there is not', withSheet(row('<c t="s"><v>7</v></c>'))],
    ['has a text with the number -1', withSheet(row('<c t="s"><v>-1</v></c>'))],
    ['has a cell without a column', withSheet(row('<c r="12"><v>1</v></c>'))],
    [
      'has broken UTF-8',
      workbookOf({
        ...ROWS,
        parts: { [SHEET]: Buffer.concat([Buffer.from(row(cell('a'))).subarray(0, -10), Buffer.from([0xff, 0xfe])]) },
      }),
    ],
    ['has no relations', workbookOf({ ...ROWS, parts: { '_rels/.rels': null } })],
    ['lacks its sheet', workbookOf({ ...ROWS, parts: { [SHEET]: null } })],
    [
      'has relations into nothing',
      workbookOf({
        ...ROWS,
        parts: {
          '_rels/.rels': '<Relationships><Relationship Id="1" Type="x/officeDocument" Target="//%"/></Relationships>',
        },
      }),
    ],
  ])('a workbook that %s is refused, and nothing of it is taken', async (_, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { fields: [{ field: 'body' }] },
    });
  });

  it.each<[string, Buffer, string]>([
    ['has 257 columns', withSheet(row(`<c r="IW1"><v>1</v></c>`)), '256 columns'],
    ['has a row of 100,000 characters', withSheet(row(cell('a'.repeat(30_000)).repeat(4))), '65536 characters'],
    [
      'is binary',
      workbookOf({
        ...ROWS,
        parts: {
          '_rels/.rels':
            '<Relationships><Relationship Id="1" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
        },
      }),
      '.xlsb',
    ],
    [
      'has a password',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
      'without a password',
    ],
  ])('a workbook that %s is refused with what is wrong with it', async (_, bytes, sentence) => {
    const refused = await read(bytes).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'invalid_input' });
    expect(JSON.stringify(refused)).toContain(sentence);
  });

  it('a workbook of which any one byte has changed is refused, or read as it was', async () => {
    const { items } = await read(whole);
    for (const [at, byte] of whole.entries()) {
      const changed = Buffer.from(whole);
      changed[at] = byte ^ (1 << (at % 8));
      const found = await read(changed).catch(({ code }: AppError) => code);
      if (typeof found !== 'string') expect(found.items, `byte ${at}`).toEqual(items);
      else expect(found, `byte ${at}`).toMatch(/^(invalid_input|body_too_large)$/);
    }
  });

  it('a workbook whose parts unpack to a hundred times its size is refused before it is unpacked', async () => {
    const bytes = withSheet(`<worksheet><sheetData>${'<row></row>'.repeat(5_000_000)}`);
    expect(bytes.length).toBeLessThan(1_000_000);
    await expect(read(bytes)).rejects.toMatchObject({ code: 'body_too_large' });
  });
});
