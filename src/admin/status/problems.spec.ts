import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALERT_LIMITS } from './problems.js';

const RULES = readFileSync(join(import.meta.dirname, '../../../config/observability/rules.yml'), 'utf8');

/** The numbers that the expression of an alert compares with, in their order. The hour of the day is none of the state. */
function comparedIn(alert: string): number[] {
  const rule = RULES.split('- alert: ').find((text) => text.startsWith(`${alert}\n`));
  const expression = /expr:([^]*?)\n\s+for:/.exec(rule ?? '')?.[1]?.replace(/ and on \(\) hour\(\) < \d+/, '') ?? '';
  return [...expression.matchAll(/[<>] (\d+(?:\.\d+)?)/g)].map(([, number]) => Number(number));
}

describe('the limits of the status', () => {
  it.each(Object.entries(ALERT_LIMITS))('the limits of the status are those of the alert %s', (alert, limits) => {
    expect(comparedIn(alert)).toEqual(Object.values(limits));
  });

  it('the limits of the status are found by a reading that finds those of no other alert', () => {
    expect(comparedIn('MailsondeNothing')).toEqual([]);
    expect(comparedIn('MailsondeRedisSlow')).toEqual([0.1]);
  });

  it('the limits of the status name no alert that the rules have not', () => {
    const problems = readFileSync(join(import.meta.dirname, 'problems.ts'), 'utf8');
    const named = [...problems.matchAll(/'(Mailsonde\w+)'/g)].map(([, alert]) => alert!);
    expect(named.length).toBeGreaterThan(10);
    for (const alert of named) expect(RULES).toContain(`- alert: ${alert}\n`);
  });
});
