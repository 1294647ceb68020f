import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import reasons from '../../config/reasons.json' with { type: 'json' };
import { REASONS, type Reason } from '../../src/engine/types.js';
import { NOT_QUERIED } from '../../src/deliverability/blacklists/blacklist-registry.js';
import { WORK_REASONS } from '../../src/credits/usage/used-work.js';
import { LIST_TROUBLES } from '../../src/mail-dns/list-answer.js';
import { ATTEMPT_ERRORS } from '../../src/webhooks/worker/webhook-sender.js';
import { REASON_ROW } from '../../src/platform/config/reason-texts.js';
import { CONFIG_DIRECTORY, readRows } from '../../src/platform/config/config-file.js';

/** The compiler asks here for the row of a new reason. */
reasons satisfies Readonly<Record<Reason, object>>;

const rows = readRows('reasons.json', REASON_ROW);
const verdictOf = new Map(
  Object.entries(REASONS).flatMap(([verdict, reasons]) => reasons.map((reason) => [reason as string, verdict])),
);

describe('config/reasons.json', () => {
  it('config/reasons.json has one row for every reason that the engine gives, in the order of their strength, and no other', () => {
    expect([...rows.keys()]).toEqual([...verdictOf.keys()]);
  });

  it('config/reasons.json names each reason once, since JSON would silently keep the last of two', () => {
    const text = readFileSync(join(CONFIG_DIRECTORY, 'reasons.json'), 'utf8');
    expect(text.match(/"verdict":/g)).toHaveLength(verdictOf.size);
  });

  it('config/reasons.json gives each reason the verdict that the engine gives with it', () => {
    for (const [reason, { verdict }] of rows) expect(verdict, reason).toBe(verdictOf.get(reason));
  });

  it('config/reasons.json explains each reason in one or two whole sentences of its own', () => {
    const explanations = [...rows.values()].map(({ explanation }) => explanation);
    for (const explanation of explanations) expect(explanation).toMatch(/^[A-Z].{30,}\.$/);
    expect(new Set(explanations).size).toBe(explanations.length);
  });

  it('config/reasons.json never advises to send to what is invalid, nor to withhold from what is valid', () => {
    for (const [reason, { verdict, action }] of rows) {
      if (verdict === 'invalid') expect(action, reason).toBe('do_not_send');
      else if (verdict === 'valid') expect(action, reason).toBe('send');
      else expect(action, reason).not.toBe('send');
    }
  });

  it('config/reasons.json advises to retry only where asking again may bring another answer', () => {
    for (const [reason, { verdict, action }] of rows) {
      if (action === 'retry_later') expect(verdict, reason).toBe('unknown');
    }
    expect(rows.get('provider_hides_mailboxes')?.action).not.toBe('retry_later');
  });
});

/** The words in the first cells of the tables of a page whose first cell of the head is this one. */
function toldIn(page: string, head: string): string[] {
  const lines = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8').split('\n');
  const isHead = (line: string) => line.trim().startsWith(`| ${head} |`);
  return lines.flatMap((line, at) => {
    if (!isHead(line)) return [];
    const rest = lines.slice(at + 2);
    const end = rest.findIndex((row) => !row.trim().startsWith('|'));
    return rest.slice(0, end).flatMap((row) =>
      [
        ...row
          .trim()
          .split(' | ')[0]!
          .matchAll(/`([^`]+)`/g),
      ].map(([, word]) => word!),
    );
  });
}

describe('the tables of reasons in the documentation', () => {
  it.each([
    // A list that the caller left out has no row in the reply.
    [
      'why a list has said nothing',
      'deliverability.md',
      '`why`',
      [...LIST_TROUBLES, ...NOT_QUERIED].filter((why) => why !== 'not_wanted'),
    ],
    ['why work without a verdict cost what it did', 'credits.md', '`reason`', WORK_REASONS],
    ['why an attempt of a webhook had no status', 'webhooks.md', '`error` of an attempt', ATTEMPT_ERRORS],
  ])(
    'the tables of reasons in the documentation tell each word of the code that says %s, and no other',
    (_, page, head, words) => {
      expect(toldIn(page, head).toSorted()).toEqual([...words].toSorted());
    },
  );
});
