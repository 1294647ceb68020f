import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FINDINGS } from '../../src/engine/domain/finding.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/deliverability.md'), 'utf8');

/** The cells of the table between the marks, without its head. */
const rows = page
  .split('<!-- findings -->\n')[1]!
  .split('\n<!-- /findings -->')[0]!
  .split('\n')
  .slice(2)
  .map((line) => line.slice(2, -2).split(' | '));

it('docs/deliverability.md tells every code of a finding with its severity, in their order, and no other', () => {
  const told = rows.map(([code, severity]) => [code!.replaceAll('`', ''), severity]);
  expect(told).toEqual(Object.entries(FINDINGS).map(([code, [, severity]]) => [code, severity]));
});

it.each(rows)('docs/deliverability.md says of %s what it means', (...cells) => {
  expect(cells).toHaveLength(3);
  expect(cells[2]).toMatch(/^.{10,}\.$/);
});
