import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseMailProviders } from '../../src/engine/verification/engine.js';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/performance.md'), 'utf8');
const providers = parseMailProviders(JSON.parse(readFileSync(join(root, 'config/mail-providers.json'), 'utf8')));

/** Of the table between these marks. */
function rowsOf(mark: string): string[] {
  const [, table] = page.split(`<!-- ${mark} -->\n`);
  return table!.split(`\n<!-- /${mark} -->`)[0]!.split('\n').slice(2);
}

function minutesText(minutes: number): string {
  return minutes < 90 ? `${minutes.toFixed(0)} min` : `${(minutes / 60).toFixed(1)} h`;
}

it('docs/performance.md says of every operator with a cap on connections a minute how long 10,000 addresses take there', () => {
  const rows = providers.all.flatMap(({ title, caps }) => {
    if (caps.connectionsPerMinute === null) return [];
    const recipients = caps.transactionsPerConnection * caps.recipientsPerTransaction;
    const most = caps.connectionsPerMinute * recipients;
    const fewest = caps.connectionsPerMinute * Math.min(recipients, caps.refusalsPerConnection);
    const [text, least] = [most, fewest].map((count) => count.toLocaleString('en-GB'));
    const [soonest, latest] = [10_000 / most, 10_000 / fewest].map(minutesText);
    return most === fewest
      ? [`| ${title} | ${text} | ${soonest} |`]
      : [`| ${title} | ${text}, or ${least} where most do not exist | ${soonest} to ${latest} |`];
  });
  expect(rowsOf('caps')).toEqual(rows);
});

it('docs/performance.md says how many connections at once every other operator that is asked gets', () => {
  const others = providers.all.filter(({ caps, rcpt }) => caps.connectionsPerMinute === null && rcpt !== 'hides');
  const usual = providers.fallback.caps.connections;
  const rows = others.flatMap(({ title, caps: { connections } }) =>
    connections === usual ? [] : [`| ${title} | ${connections} |`],
  );
  expect(rowsOf('connections')).toEqual([...rows, `| any other | ${usual} |`]);
});
