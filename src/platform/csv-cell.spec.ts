import { expect, it } from 'vitest';
import { csvCell, sentCsvCell } from './csv-cell.js';

it.each([
  '=1',
  '+1',
  '-1',
  '@sum',
  '\tx',
  '＝1',
  '＋1',
  '－1',
  '＠sum',
  ' =1',
  '\u00a0=1',
  '\u3000＝1',
  '\u200b\u2060+1',
  '\ufeff@sum',
])('the cell %j gets an apostrophe, so that no spreadsheet runs it, and the sent cell is as it was', (text) => {
  expect([csvCell(text), sentCsvCell(text, ',')]).toEqual([`'${text}`, text]);
});

it.each(['\r=1', '\n=1', '\r\n ＝1'])('the cell %j is quoted too', (text) => {
  expect([csvCell(text), sentCsvCell(text, ',')]).toEqual([`"'${text}"`, `"${text}"`]);
});

it.each(['', 'a=b', ' a', '\u00a0', '1-2', '日本', "'=1"])('the cell %j is no formula', (text) => {
  expect(csvCell(text)).toBe(text);
});

it('numbers, truth values and lists are no formulas', () => {
  expect([csvCell(-1), csvCell(true), csvCell(['a'], ';'), csvCell(null)]).toEqual(['-1', 'true', '"[""a""]"', '']);
});
