import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCORE_TABLE } from '../../src/engine/judge/score-table.js';
import { REASON_ROW } from '../../src/platform/config/reason-texts.js';
import { readRows } from '../../src/platform/config/config-file.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/verification.md'), 'utf8');

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
    const rows = SCORE_TABLE.map(({ reason, when, score, confidence, why }) => [
      code(reason),
      when.map(code).join(', '),
      score,
      confidence,
      why,
    ]);
    expect(marked('scores')).toBe(table(['reason', 'when', 'score', 'confidence', 'why'], rows));
    for (const circumstance of new Set(SCORE_TABLE.flatMap(({ when }) => when))) {
      expect(page).toMatch(new RegExp(`^\\| \`${circumstance}\` \\| .{10,} \\|$`, 'm'));
    }
  });
});
