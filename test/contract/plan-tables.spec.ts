import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEMO_SCENARIO_NAMES } from '../../src/deliverability/placement/demo-scenarios.js';
import { loadPolicies, plansOf } from '../../src/platform/config/policies.js';

const { keyPolicies } = loadPolicies({ retentionDays: 30 });
const plans = plansOf(keyPolicies);
const figure = (number: number): string => number.toLocaleString('en');

/** The rows of the first table after a text, cell by cell as they are shown. */
function rowsAfter(path: string, text: string): string[][] {
  const lines = readFileSync(path, 'utf8').split(text)[1]!.split('\n');
  const table = lines.slice(lines.findIndex((line) => line.startsWith('|')));
  const end = table.findIndex((line) => !line.startsWith('|'));
  return table.slice(2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

describe('what plans allow of deliverability', () => {
  it('what plans allow of deliverability stands in the guide to authentication as it is', () => {
    expect(rowsAfter('docs/authentication.md', 'What [deliverability]')).toEqual(
      plans.map((plan) => [
        plan.name,
        figure(plan.blacklistTargets),
        figure(plan.monitors),
        `${figure(plan.monitorMinutes)} minutes`,
        `${plan.monitorDays} days`,
        figure(plan.placementTests),
      ]),
    );
  });

  it('what plans allow of deliverability of placement tests stands in their guide as it is', () => {
    const [, told = ''] = /how many tests that have not ended there may be at once \(([^)]*)\)/.exec(
      readFileSync('docs/deliverability.md', 'utf8'),
    )!;
    expect(told).toBe(plans.map(({ name, placementTests }) => `\`${name}\` ${placementTests}`).join(', '));
  });
});

it('the guide to test mode names every world of placement tests', () => {
  const row = rowsAfter('docs/test-mode.md', '## Deliverability').find(([what]) => what!.includes('placement tests'));
  expect(row?.[2]).toBe(DEMO_SCENARIO_NAMES.join(', '));
});
