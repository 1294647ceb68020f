import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERROR_CATALOG } from '../platform/errors/error-catalog.js';
import { SIMULATED_REFUSALS, refusalOf, SCENARIOS, scenarioOf } from './scenarios.js';

const guide = readFileSync(join(import.meta.dirname, '../../docs/test-mode.md'), 'utf8');

/** The rows of the table under a heading, cells without code marks. */
function tableWith(heading: string): string[][] {
  const lines = guide.split('\n');
  const rows = lines.slice(lines.indexOf(heading) + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

describe('the guide to test mode', () => {
  it('the guide to test mode names every magic word, in order, with its verdict', () => {
    expect(tableWith('| word | verdict | reason | what the simulated world does |')).toEqual(
      Object.entries(SCENARIOS).map(([word, { verdict, reason, description: tells }]) => [
        word,
        verdict,
        reason,
        tells,
      ]),
    );
  });

  it('the guide to test mode names every word that refuses the request, with the status and code that callers get', () => {
    expect(tableWith('| word | status | code |')).toEqual(
      Object.entries(SIMULATED_REFUSALS).map(([word, code]) => [word, `${ERROR_CATALOG[code][0]}`, code]),
    );
  });
});

describe('the magic word of an address', () => {
  it.each([
    ['full', null, SCENARIOS.full],
    ['FULL', null, SCENARIOS.full],
    ['jane+full', 'full', SCENARIOS.full],
    ['jane+Catch-All', 'Catch-All', SCENARIOS['catch-all']],
    ['full+billing', 'billing', SCENARIOS.full],
    ['full+invalid', 'invalid', SCENARIOS.invalid],
    ['jane', null, SCENARIOS.valid],
    ['jane+billing', 'billing', SCENARIOS.valid],
    ['fuller', null, SCENARIOS.valid],
    ['jane+full+x', 'full+x', SCENARIOS.valid],
    ['constructor', null, SCENARIOS.valid],
    ['rate-limited', null, SCENARIOS.valid],
  ])('%s (tag %s) is understood', (localPart, tag, scenario) => {
    expect(scenarioOf({ localPart, tag })).toBe(scenario);
  });

  it('the magic word of an address may mean a refusal, and then means nothing else', () => {
    expect(refusalOf({ localPart: 'jane+insufficient-credits', tag: 'insufficient-credits' })).toBe(
      'credits_insufficient',
    );
    expect(refusalOf({ localPart: 'Rate-Limited', tag: null })).toBe('rate_limited');
    expect(refusalOf({ localPart: 'full', tag: null })).toBeNull();
  });
});
