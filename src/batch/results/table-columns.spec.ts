import { array, assert, constantFrom, property } from 'fast-check';
import { expect, it } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-time.js';
import { distinctNames, resultNames } from './table-columns.js';

const names = () =>
  array(constantFrom('a', 'a_2', 'a_3', 'a_2_2', 'b', 'mailsonde_a', 'mailsonde_a_2'), { maxLength: 30 });

it('every column has a name of its own, and keeps the one it has where that comes first', () => {
  assert(
    property(names(), (given) => {
      const distinct = distinctNames(given);
      expect(new Set(distinct).size).toBe(given.length);
      for (const [i, name] of given.entries()) if (given.indexOf(name) === i) expect(distinct[i]).toBe(name);
    }),
  );
});

it('a result column has the name of no other column, and keeps its own where nothing else has it', () => {
  assert(
    property(names(), (given) => {
      const own = distinctNames(given);
      const results = resultNames(['a', 'b', 'c'], own);
      expect(new Set([...own, ...results]).size).toBe(own.length + 3);
      for (const [i, name] of ['a', 'b', 'c'].entries()) expect(results[i] === name).toBe(!own.includes(name));
    }),
  );
});

it('30,000 columns of one name, half of whose numbers are taken, are named within a second', () => {
  const given = [
    ...Array.from({ length: 15_000 }, (_, i) => `a_${i + 2}`),
    ...Array.from({ length: 15_000 }, () => 'a'),
  ];
  let names: readonly string[] = [];
  expect(cpuMs(() => (names = distinctNames(given)))).toBeLessThan(1_000);
  expect(names.at(-1)).toBe('a_30000');
});
