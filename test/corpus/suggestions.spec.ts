import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { mailboxes } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';

interface TypingSlips {
  readonly slips: Readonly<Record<string, readonly string[]>>;
  readonly near: readonly string[];
  readonly far: readonly string[];
}

const { slips, near, far } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'typing-slips.json'), 'utf8'),
) as TypingSlips;
const SLIPS = Object.entries(slips).flatMap(([meant, given]) => given.map((domain) => ({ domain, meant })));
const REAL = [...near, ...far];
const free = readFileSync(join(import.meta.dirname, '../../config/lists/free.txt'), 'utf8');

/** What is suggested for each domain; those of `withMail` have a mail host, the others do not exist. */
async function suggestions(domains: readonly string[], withMail: readonly string[]): Promise<(string | null)[]> {
  const MX = [[10, 'mx.example.com']] as const;
  const { engine } = await startMailWorld({
    lists: { free },
    zones: Object.fromEntries(withMail.map((domain) => [domain, { MX }])),
    smtp: { onLine: mailboxes('jane') },
  });
  const found: (string | null)[] = [];
  for await (const { index, verification } of engine.verifyMany(domains.map((domain) => `jane@${domain}`))) {
    found[index] = verification.didYouMean?.replace('jane@', '') ?? null;
  }
  return found;
}

/** The share of the slips that are corrected to what was meant, and the share of the corrections that are right. */
function measure(found: readonly (string | null)[]): { recall: number; precision: number } {
  const right = SLIPS.filter(({ meant }, index) => found[index] === meant).length;
  return { recall: right / SLIPS.length, precision: right / found.filter((domain) => domain !== null).length };
}

describe('suggestions for 200 mistyped and 200 real domains', () => {
  it('suggestions for 200 mistyped and 200 real domains are made for at least 82 in 100 mistyped domains that do not exist, and 99 in 100 of these are right', async () => {
    const { recall, precision } = measure(
      await suggestions(
        SLIPS.map(({ domain }) => domain),
        [],
      ),
    );
    expect(recall).toBeGreaterThanOrEqual(0.82);
    expect(precision).toBeGreaterThanOrEqual(0.99);
  });

  it('suggestions for 200 mistyped and 200 real domains are made for at least 76 in 100 mistyped domains that somebody has registered for mail, and 99 in 100 of these are right', async () => {
    const domains = SLIPS.map(({ domain }) => domain);
    const { recall, precision } = measure(await suggestions(domains, domains));
    expect(recall).toBeGreaterThanOrEqual(0.76);
    expect(precision).toBeGreaterThanOrEqual(0.99);
  });

  it('suggestions for 200 mistyped and 200 real domains are made for no real domain, however near to a popular one', async () => {
    const found = await suggestions(REAL, REAL);
    expect(REAL.filter((_, index) => found[index] !== null)).toEqual([]);
  });
});
