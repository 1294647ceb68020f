import { describe, expect, it } from 'vitest';
import type { FoundRecordReply } from '../../domains/finding.reply.js';
import type { FindingArea } from '../../../engine/domain/finding.js';
import { type Presence, watchPresence } from './presence.js';

const DMARC = {
  area: 'dmarc',
  name: '_dmarc.example.com.',
  type: 'TXT',
  value: 'v=DMARC1; p=reject',
} as const;
const KEY: FoundRecordReply = { area: 'dkim', name: 's1._domainkey.example.com.', type: 'TXT', value: 'v=DKIM1; p=AA' };
const ANSWERED = new Set<FindingArea>(['dmarc', 'dkim']);

/** What is said after looks that found these records; null: nobody answered. */
function after(looks: readonly (readonly FoundRecordReply[] | null)[], selectors: readonly string[] = ['s1']) {
  let presence: Presence = {};
  let findings: readonly { readonly code: string; readonly subject: string }[] = [];
  for (const records of looks) {
    const answered = records === null ? new Set<FindingArea>() : ANSWERED;
    const seen = watchPresence(presence, { domain: 'example.com', records: records ?? [], answered, selectors });
    ({ presence, findings } = seen);
  }
  return { presence, findings };
}

describe('a record that is there every other time', () => {
  it('a record that is there every other time is a finding by the third change', () => {
    expect(after([[DMARC], [], [DMARC]]).findings).toEqual([]);
    expect(after([[DMARC], [], [DMARC], []]).findings).toMatchObject([
      {
        code: 'inconsistent_answers',
        area: 'dmarc',
        severity: 'warning',
        subject: 'TXT _dmarc.example.com.',
        evidence: { checks: 4, found: 2 },
      },
    ]);
  });

  it('a record that is there every other time is none any more when the last looks have seen the same', () => {
    const mended = Array.from({ length: 6 }, () => [DMARC]);
    expect(after([[DMARC], [], [DMARC], [], ...mended]).findings).toEqual([]);
  });

  it('a record that is there every other time is not one that nobody answers for, or whose selector was not asked for', () => {
    expect(after([[DMARC], null, [DMARC], null, [DMARC], null]).findings).toEqual([]);
    expect(after([[KEY], [], [KEY], []], []).findings).toEqual([]);
    expect(after([[KEY], [], [KEY], []]).findings).toMatchObject([{ subject: 'TXT s1._domainkey.example.com.' }]);
  });

  it('a record that is there every other time is not one that somebody has taken away, or put there again', () => {
    expect(after([[DMARC], [DMARC], [], [], [], [DMARC], [DMARC]]).findings).toEqual([]);
  });

  it('a record that is there every other time is of the domain itself: records of others that are asked in its place count for nothing', () => {
    const parent = { ...DMARC, name: '_dmarc.com.' };
    expect(after([[parent], [], [parent], []]).presence).toEqual({});
  });

  it('a record that is there every other time is forgotten when it has been gone for eight looks', () => {
    expect(after([[DMARC], ...Array.from({ length: 8 }, () => [])]).presence).toEqual({});
  });
});
