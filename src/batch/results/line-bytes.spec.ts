import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { LineBytes } from './result-writers.js';

const written = (bytes: LineBytes): string => Buffer.concat([...bytes.takeFull(), bytes.takeRest()]).toString();

function line(...cells: unknown[]): string {
  const bytes = new LineBytes();
  for (const one of cells) bytes.cell(one);
  bytes.endLine();
  return written(bytes);
}

it.each([
  ['jane@example.com', 'jane@example.com'],
  ['two words', 'two words'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['"', '""""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['one\rbreak', '"one\rbreak"'],
  ['a\tb', 'a\tb'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@sum', "'@sum"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ['=a,b"', `"'=a,b"""`],
  ["'=1", "'=1"],
  ['a=b', 'a=b'],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠sum', "'＠sum"],
  [' =1', "' =1"],
  ['\u00a0+1', "'\u00a0+1"],
  ['\u3000－1', "'\u3000－1"],
  ['\u200b@sum', "'\u200b@sum"],
  ['\ufeff\u2060=1', "'\ufeff\u2060=1"],
  [' \n\t =1', '"\' \n\t =1"'],
  [' a=b', ' a=b'],
  ['\u00a0', '\u00a0'],
  ['日=1', '日=1'],
  ['Zoë', 'Zoë'],
  ['=ë', "'=ë"],
  ['日本,語', '"日本,語"'],
  ['😀', '😀'],
  [-1, '-1'],
  [0.95, '0.95'],
  [true, 'true'],
  [false, 'false'],
  [null, ''],
  [undefined, ''],
])('the cell %j is written as %j, first or later', (value, cell) => {
  expect(line(value)).toBe(`${cell}\r\n`);
  expect(line('a', value, 'b')).toBe(`a,${cell},b\r\n`);
});

it.each(['=1+1', '＝1+1', ' \u200b=1', '+49 30 1', '-1', '@sum', '\tx', '=a,b"', '\rx'])(
  'the sent cell %j is read as it is',
  (text) => {
    const bytes = new LineBytes();
    bytes.sentCell('a');
    bytes.sentCell(text);
    bytes.endLine();
    expect(parse(written(bytes))).toEqual([['a', text]]);
  },
);

it.each(['x', '"', 'ë', '語', '='])('lines of any length are whole: %s', (letter) => {
  const text = letter.repeat(10_000);
  const cell = { '"': `"${'"'.repeat(20_000)}"`, '=': `'${text}` }[letter] ?? text;
  expect(line('first', text, text) === `first,${cell},${cell}\r\n`).toBe(true);
});

it('whole lines are written as they are', () => {
  const bytes = new LineBytes();
  const lines = ['{"a":"Zoë, 語 😀"}\n', `${'ë'.repeat(9_999)}\n`, '\n'];
  for (const one of lines) bytes.line(one);
  expect(written(bytes) === lines.join('')).toBe(true);
});

it('text is handed out in pieces that stay as they are, each once, while the next lines are written', () => {
  const bytes = new LineBytes();
  const lines = Array.from({ length: 3_000 }, (_, number) => `${String(number).padStart(98, '.')}\n`);
  const pieces: Buffer[] = [];
  for (const one of lines) {
    bytes.line(one);
    pieces.push(...bytes.takeFull());
  }
  expect(pieces.length).toBeGreaterThan(3);
  expect(Buffer.concat([...pieces, bytes.takeRest()]).toString() === lines.join('')).toBe(true);
});
