import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REASONS } from '../../src/engine/types.js';
import { REASON_ROW } from '../../src/platform/config/reason-texts.js';
import { CONFIG_DIRECTORY, readRows } from '../../src/platform/config/config-file.js';

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
