import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { workbookOf, type WrittenCell } from '../../../test/support/workbooks.js';
import { AppError } from '../../platform/errors/app-error.js';
import { readCsv, readTable } from './csv-reader.js';
import { DELIMITERS, type IntakeSettings, type Rows } from './sent-body.js';
import { decodeText } from './text-decoder.js';
import { workbookRecords } from './workbook-reader.js';

const UNSAID: Omit<IntakeSettings, 'columns'> = {
  name: null,
  isHeld: false,
  webhookUrl: null,
  maxCredits: null,
  reuseDays: 0,
  retryWindowSeconds: null,
  retentionDays: null,
  namedColumns: {},
  hasHeader: null,
  delimiter: null,
  sheet: null,
};
const ALONE = {
  nextSlice: () => Promise.resolve(),
  workbookPlace: () => Promise.resolve({ release: () => undefined }),
};

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

const [FIRST, SECOND] = ['jane@example.com', 'john@example.org'];
const BOTH = [FIRST, SECOND];
const ASKED = 'asked';

/** What is verified of a file; `asked`: it is refused with a question that names the column. */
async function verified(rows: Rows): Promise<readonly string[] | typeof ASKED> {
  const emails: string[] = [];
  try {
    for await (const piece of rows) for (const { item } of piece) emails.push(item);
  } catch (error) {
    const isQuestion = error instanceof AppError && error.details.fields?.[0]?.field === 'email_column';
    if (isQuestion) return ASKED;
    throw error;
  }
  return emails;
}

const ofText = (bytes: Buffer, charset: string | null = null, said: Partial<IntakeSettings> = {}) =>
  verified(readCsv(decodeText(inPieces(bytes), charset), { ...UNSAID, ...said, columns: null }));

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const emptyFirst = (cells: string) => `Email,Name\n${',x\n'.repeat(10_000)}${cells}`;

describe('a text with a trap', () => {
  it.each<[string, string | Buffer, readonly string[] | typeof ASKED]>([
    ['two columns of addresses of different kinds', `from,to\n${FIRST},${SECOND}\na@b.example,c@d.example\n`, ASKED],
    [
      'two columns of addresses, of which one is plainly named',
      `Email,Referred by\n${FIRST},x@example.net\n${SECOND},y@example.net\n`,
      BOTH,
    ],
    ['an address in the column of names', `Name,Email\n${SECOND},${FIRST}\nJohn,${SECOND}\n`, BOTH],
    [
      'no address in the column that is called so, and all of them in another',
      `Email,Contact\nyes,${FIRST}\nno,${SECOND}\n`,
      BOTH,
    ],
    [
      'no addresses in a hundred rows, but a name',
      `Name,E-Mail\n${'x,\n'.repeat(200)}y,${FIRST}\n`,
      [...Array<string>(200).fill(''), FIRST],
    ],
    ['ten thousand empty first cells', emptyFirst(`${FIRST},x\n`), [...Array<string>(10_000).fill(''), FIRST]],
    ['a first row without an address, and no header', `,Jane\n${FIRST},Doe\n${SECOND},Roe\n`, ['', ...BOTH]],
    ['a list without a header', `${FIRST},Jane\n${SECOND},John\n`, BOTH],
    ['one column without a header', `${FIRST}\n${SECOND}\n`, BOTH],
    ['a header alone', 'Name,Email\n', []],
    ['a byte order mark', `\uFEFFEmail,Name\n${FIRST},x\n${SECOND},y\n`, BOTH],
    ['a byte order mark before a quote', `\uFEFF"Email","Name"\n"${FIRST}","x"\n"${SECOND}","y"\n`, BOTH],
    ['a byte order mark alone before the only column', `\uFEFFemail\n${FIRST}\n${SECOND}\n`, BOTH],
    ['UTF-16', utf16(`E-Mail\tName\r\n${FIRST}\tJürgen\r\n${SECOND}\tx\r\n`), BOTH],
    ['UTF-16 without a mark', Buffer.from(`Email\tName\n${FIRST}\tx\n${SECOND}\ty\n`, 'utf16le'), BOTH],
    ['semicolons', `E-Mail;Name\n${FIRST};Doe, Jane\n${SECOND};Roe, John\n`, BOTH],
    [
      'semicolons, and more commas in the header',
      `E-Mail;"Name, first";Born, or founded, in\n${FIRST};x;1\n${SECOND};y;2\n`,
      BOTH,
    ],
    ['semicolons, more commas, and no header', `${FIRST};Doe, Jane, PhD, MD\n${SECOND};Roe, John, PhD\n`, BOTH],
    ['bars', `Name|Email\nx, y, z|${FIRST}\ny|${SECOND}\n`, BOTH],
    ['tabs, and commas in the names', `Name\tEmail\nDoe, Jane\t${FIRST}\nRoe, John\t${SECOND}\n`, BOTH],
    ["Excel's line about the separator", `sep=;\r\nName;Email\r\nDoe, Jane;${FIRST}\r\nx;${SECOND}\r\n`, BOTH],
    ["Excel's line about a comma", `SEP=,\nEmail,Name\n${FIRST},a;b;c\n${SECOND},d\n`, BOTH],
    ['quotes in quotes', `Name,Email\n"Jane ""JD"" Doe",${FIRST}\n"x",${SECOND}\n`, BOTH],
    ['line breaks in quotes', `Note,Email\n"one\ntwo, three",${FIRST}\n"four\r\n\r\nfive",${SECOND}\n`, BOTH],
    ['a delimiter in quotes in the header', `"Name, first; last",Email\nx,${FIRST}\ny,${SECOND}\n`, BOTH],
    ['quoted addresses', `"Name";"Email"\n"x";"${FIRST}"\n"y";"${SECOND}"\n`, BOTH],
    ['an apostrophe by which a spreadsheet keeps a text', `Name,Email\n'=1+1,${FIRST}\nx,${SECOND}\n`, BOTH],
    [
      'formulas beside the addresses',
      `Email,Note\n${FIRST},"=HYPERLINK(""http://x"",""y"")"\n${SECOND},+49 30\n`,
      BOTH,
    ],
    [
      'a formula where an address is missing',
      `Email,Note\n${FIRST},x\n=A1&"@example.com",y\n`,
      [FIRST, '=A1&"@example.com"'],
    ],
    [
      'notes before the header',
      `Notes:\n"Some of them are missing"\n\nName,Company,Email\nx,y,${FIRST}\nz,w,${SECOND}\n`,
      BOTH,
    ],
    ['blank lines', `\n\nEmail,Name\n\n${FIRST},x\n\n\n${SECOND},y\n\n`, BOTH],
    ['line ends of an old Mac', `Email,Name\r${FIRST},x\r${SECOND},y\r`, BOTH],
    ['no line end behind the last row', `Email,Name\n${FIRST},x\n${SECOND},y`, BOTH],
    ['rows of different lengths', `Name,Email\nx,${FIRST},1,2,3\ny,${SECOND}\n`, BOTH],
    ['a row that ends before the column', `Name,Email\nx\ny,${FIRST}\n`, ['', FIRST]],
    [
      'blanks around addresses and names',
      ` Name , E-Mail \n x , ${FIRST} \n y ,\t${SECOND}\n`,
      [` ${FIRST} `, `\t${SECOND}`],
    ],
    ['a misspelt address in the first row, and no header', `jane@example,x\n${SECOND},y\n`, ['jane@example', SECOND]],
    ['a domain in another column', `Website,Email\nexample.com,${FIRST}\nexample.org,${SECOND}\n`, BOTH],
    ['handles in another column', `Twitter,Email\n@jane,${FIRST}\n@john,${SECOND}\n`, BOTH],
    [
      'an address within a sentence of another column',
      `Note,Email\n"write to x@example.net, please",${FIRST}\nx,${SECOND}\n`,
      BOTH,
    ],
    ['two columns of one name', `Email,Email\n${FIRST},x@example.net\n${SECOND},y@example.net\n`, ASKED],
    ['the same name in capitals', `NAME,EMAIL\nx,${FIRST}\ny,${SECOND}\n`, BOTH],
    ['a header in Japanese', `名前,メールアドレス\nx,${FIRST}\ny,${SECOND}\n`, BOTH],
    [
      'addresses outside ASCII',
      `Email,Name\njürgen@müller.example,x\n用户@例子.example,y\n`,
      ['jürgen@müller.example', '用户@例子.example'],
    ],
  ])('a text with a trap, %s, is read right or asked about', async (_trap, sent, expected) => {
    expect(await ofText(typeof sent === 'string' ? Buffer.from(sent) : sent)).toEqual(expected);
  });

  it('a text with a trap in the charset of old spreadsheets is read right when it is named, and refused when not', async () => {
    const bytes = Buffer.from(`Name;E-Mail\nJ\xfcrgen;${FIRST}\nx;${SECOND}\n`, 'latin1');
    expect(await ofText(bytes, 'windows-1252')).toEqual(BOTH);
    await expect(ofText(bytes)).rejects.toMatchObject({ details: { fields: [{ field: 'body' }] } });
  });

  it('a text with a trap, a line about the separator, is read right also when the delimiter is said', async () => {
    expect(
      await ofText(Buffer.from(`sep=,\nName;Email\na, b;${FIRST}\nc;${SECOND}\n`), null, { delimiter: 'semicolon' }),
    ).toEqual(BOTH);
  });

  it('a text with a trap, bytes that are no text, is refused', async () => {
    await expect(ofText(gzipSync('x'.repeat(99)))).rejects.toBeInstanceOf(AppError);
  });
});

describe('a workbook with a trap', () => {
  const NAMES = ['Name', 'Email'];
  it.each<[string, readonly (readonly WrittenCell[])[], readonly string[] | typeof ASKED]>([
    ['an address in the column of names', [NAMES, [SECOND, FIRST], ['x', SECOND]], BOTH],
    [
      'two columns of addresses',
      [
        ['from', 'to'],
        [FIRST, SECOND],
        [SECOND, FIRST],
      ],
      ASKED,
    ],
    [
      'no header',
      [
        ['x', FIRST],
        ['y', SECOND],
      ],
      BOTH,
    ],
    [
      'ten thousand empty first cells',
      [NAMES, ...Array.from({ length: 10_000 }, () => ['x', null]), ['y', FIRST]],
      [...Array<string>(10_000).fill(''), FIRST],
    ],
    [
      'numbers and truths beside addresses',
      [
        ['Id', 'Email', 'Consent'],
        [1e15, FIRST, true],
        [0.1, SECOND, false],
      ],
      BOTH,
    ],
  ])('a workbook with a trap, %s, is read right or asked about', async (_trap, rows, expected) => {
    const bytes = workbookOf({ sheets: [{ rows }] });
    const records = workbookRecords({ bytes: inPieces(bytes), ...ALONE }, 'addresses', null);
    expect(await verified(readTable(records, DELIMITERS.comma, { ...UNSAID, columns: null }))).toEqual(expected);
  });
});
