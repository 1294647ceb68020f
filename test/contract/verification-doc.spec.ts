import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCORE_TABLE } from '../../src/engine/judge/score-table.js';
import { REASON_ROW } from '../../src/platform/config/reason-texts.js';
import { readRows } from '../../src/platform/config/config-file.js';
import { mistakesIn } from '../support/type-check.js';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/verification.md'), 'utf8');

/** What stands between the marks of that name; a failing comparison shows what should. */
const marked = (name: string): string => page.split(`<!-- ${name} -->\n`)[1]!.split(`\n<!-- /${name} -->`)[0]!;

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells, at) => (at === 1 ? `|${cells.join('|')}|` : `| ${cells.join(' | ')} |`))
    .join('\n');

const code = (text: string): string => `\`${text}\``;

describe('docs/verification.md', () => {
  it('docs/verification.md has the reasons of config/reasons.json, word for word', () => {
    const rows = [...readRows('reasons.json', REASON_ROW)].map(([reason, { verdict, explanation, action }]) => [
      code(reason),
      verdict,
      explanation,
      code(action),
    ]);
    expect(marked('reasons')).toBe(table(['reason', 'verdict', 'what it says', 'action'], rows));
  });

  it('docs/verification.md has the score table, row for row, and says what each circumstance means', () => {
    const scores = Object.entries(SCORE_TABLE).flatMap(([reason, rows]) => rows.map((row) => ({ reason, ...row })));
    const rows = scores.map(({ reason, when, score, confidence, why }) => [
      code(reason),
      when.map(code).join(', '),
      score,
      confidence,
      why,
    ]);
    expect(marked('scores')).toBe(table(['reason', 'when', 'score', 'confidence', 'why'], rows));
    for (const circumstance of new Set(scores.flatMap(({ when }) => when))) {
      expect(page).toMatch(new RegExp(`^\\| \`${circumstance}\` \\| .{10,} \\|$`, 'm'));
    }
  });

  it('docs/verification.md has examples of the library that compile against the library as it is', () => {
    const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text!);
    expect(examples.length).toBeGreaterThan(0);
    const programs = examples.map((text, at) => {
      // What was built has no types: they stand in its sources.
      const program = `${text.replaceAll(`'./dist/src/`, `'./src/`)}\ndeclare const addresses: readonly string[];\n`;
      return [join(ROOT, `example-${at}.ts`), program];
    });
    const options = { types: ['node'], lib: ['lib.es2023.d.ts'], esModuleInterop: true, skipLibCheck: true };
    expect(mistakesIn(Object.fromEntries(programs), options)).toEqual([]);
  });
});
