import { expect, it } from 'vitest';
import { adviceOf, safetyOf } from './migrate-text.js';

const plan = (...phases: ('first' | 'expand' | 'contract')[]) => phases.map((phase) => ({ phase }));

it('a plan may be done beside the version before unless a step of it takes something away', () => {
  expect(adviceOf([])).toBe('The schema is up to date: nothing would be done.');
  expect(adviceOf(plan('first', 'first'))).toBe('The tables are new: nothing can use them yet.');
  expect(adviceOf(plan('first', 'expand'))).toBe('The version before may go on running.');
  expect(adviceOf(plan('expand', 'contract', 'expand'))).toBe(
    'Not beside the version before: stop every process of it first.',
  );
});

it('each step says what it is', () => {
  expect(plan('first', 'expand', 'contract').map(safetyOf)).toEqual([
    'makes tables of an empty database',
    'expand: safe while the version before runs',
    'contract: stop every process of the version before first',
  ]);
});
