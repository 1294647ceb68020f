import { ok } from 'node:assert';
import { MAX_COLUMNS } from '../../src/lib/address-column.js';
import { workbookRecords } from '../../src/batch/formats/workbook-reader.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { partsOf, workbookOf, type WrittenWorkbook } from '../../test/support/workbooks.js';
import { fuzz, fuzzArguments } from './driver.js';
import { Pick } from './intake/pick.js';
import { mutate } from './mutate.js';

const SEEDS: readonly WrittenWorkbook[] = [
  {
    sheets: [
      {
        rows: [
          ['Name', 'E-Mail'],
          ['Jürgen', 'jane@example.com'],
          ['Ömür', null, true, 1.5e-7],
        ],
      },
    ],
  },
  { sheets: [{ rows: [['email'], ['a@example.com']] }], isInline: true },
  {
    sheets: [
      { name: 'Notes', rows: [['x']], state: 'hidden' },
      { name: 'Kunden', rows: [['a@example.com', { xml: '<c s="1"><f>TODAY()</f><v>45000.5</v></c>' }]] },
    ],
    properties: 'date1904="1"',
    styles: '<numFmts><numFmt numFmtId="170" formatCode="yyyy"/></numFmts><cellXfs><xf/><xf numFmtId="170"/></cellXfs>',
  },
];

/** What readers of XML and of workbooks trip over. */
const ODD = [
  [
    '<!DOCTYPE x [<!ENTITY a "b">]>',
    '&a;',
    '&#0;',
    '&#xD800;',
    '&#99999999;',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?x',
    '?>',
  ],
  [
    '<a>'.repeat(60),
    '</sheetData>',
    '</row>',
    '<row>',
    '<c>',
    '<c r="">',
    '<c r="A0">',
    '<c r="ZZZZ1">',
    '<c r="IV1">',
    '<c t="s">',
  ],
  [
    '<v>',
    '</v>',
    '-1',
    '1e999',
    'NaN',
    '_x0000_',
    '_xD800_',
    '1E+308',
    '2958466',
    '0.99999999',
    '<v>9007199254740993</v>',
  ],
  [
    'xmlns="x"',
    ' r:id="rId1"',
    'Target="../../../etc/passwd"',
    'Target="xl/workbook.xml"',
    'TargetMode="External"',
    'http://',
  ],
  ['\0', '\ufeff', '\xff\xfe', '\r', '\r\n', ' ', 'x'.repeat(300_000)],
].flat();

const text = (bytes: Buffer): string => bytes.toString('latin1');
const alone = {
  nextSlice: () => Promise.resolve(),
  workbookPlace: () => Promise.resolve({ release: () => undefined }),
};

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** It is refused as what it is, or has rows that a list may have. */
async function check(input: string): Promise<void> {
  for (const sheet of [null, '2'])
    try {
      const sent = { bytes: once(Buffer.from(input, 'latin1')), ...alone };
      for await (const page of workbookRecords(sent, 'addresses', sheet))
        for (const row of page) {
          ok(row.length <= MAX_COLUMNS, 'a row that is too wide');
          for (const cell of row) ok(typeof cell === 'string' && !cell.includes('\0'), 'a cell that is no text');
        }
    } catch (error) {
      if (!(error instanceof AppError) || !['invalid_input', 'body_too_large'].includes(error.code)) throw error;
    }
}

/** A whole archive, of which one part or two are damaged. */
function damaged(pick: Pick): string {
  const written = pick.one(SEEDS);
  const parts = [...partsOf(written)];
  const changed = Array.from({ length: 1 + pick.below(2) }, () => {
    const [name, part] = pick.one(parts);
    const at = pick.below(part.length);
    if (pick.chance(0.1)) return [name, null] as const;
    const xml = pick.chance(0.5)
      ? part.slice(0, at) + pick.one(ODD) + part.slice(at + pick.below(3))
      : mutate([part], pick.random);
    return [name, xml] as const;
  });
  return text(workbookOf({ ...written, parts: Object.fromEntries(changed) }));
}

const seedInputs = SEEDS.map((written) => text(workbookOf(written)));
for (const seed of seedInputs) await check(seed);

await fuzz({
  name: 'workbook',
  seedInputs,
  property: check,
  generate: (random) => damaged(new Pick(random)),
  ...fuzzArguments(),
});
