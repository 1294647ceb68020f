import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ERROR_CATALOG } from '../../src/platform/errors/error-catalog.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');

/** The cells of the table between the marks, without its head. */
const rows = page
  .split('<!-- errors -->\n')[1]!
  .split('\n<!-- /errors -->')[0]!
  .split('\n')
  .slice(2)
  .map((line) => line.slice(2, -2).split(' | '));

it('docs/errors.md tells every code of the catalogue with its status, in its order, and no other', () => {
  const told = rows.map(([code, status]) => [code!.replaceAll('`', ''), Number(status)]);
  expect(told).toEqual(Object.entries(ERROR_CATALOG).map(([code, [status]]) => [code, status]));
});

it.each(rows)('docs/errors.md says of %s when it comes and what to do', (...cells) => {
  expect(cells).toHaveLength(4);
  for (const text of cells.slice(2)) expect(text.length).toBeGreaterThan(10);
});
