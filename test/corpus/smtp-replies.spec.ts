import { describe, expect, it } from 'vitest';

import { INVALIDATING, judge, REPLY_SETS, report, share } from './smtp-corpus.js';

describe.each(Object.entries(REPLY_SETS))('the replies of %s', (file, records) => {
  const judged = judge(records);
  console.info(`${file}: ${judged.length} replies\n${report(judged)}`);

  it('the replies of a corpus make at most 1 in 100 addresses invalid when they are not about the mailbox', () => {
    expect(share(judged, 'not_about_mailbox', (given) => INVALIDATING.includes(given))).toBeLessThanOrEqual(0.01);
  });

  it('the replies of a corpus make at least 97 in 100 addresses invalid when they say that there is no such mailbox', () => {
    expect(share(judged, 'not_found', (given) => INVALIDATING.includes(given))).toBeGreaterThanOrEqual(0.97);
  });

  it('the replies of a corpus are understood at least 95 times in 100 when a mailbox is full', () => {
    expect(share(judged, 'full', (given) => given === 'full')).toBeGreaterThanOrEqual(0.95);
  });

  it('the replies of a corpus are understood at least 95 times in 100 when a mailbox is disabled', () => {
    const right = share(judged, 'disabled', (given) => given === 'disabled' || given === 'disabled_temporarily');
    expect(right).toBeGreaterThanOrEqual(0.95);
  });

  it('the replies of a corpus never make an address invalid when they are ambiguous by themselves and carry no enhanced code', () => {
    const wrong = judged.filter(({ record, classification }) => {
      return (
        record.truth === 'ambiguous' && INVALIDATING.includes(classification.class) && !/\b5\.1\.\d/.test(record.reply)
      );
    });
    expect(wrong).toEqual([]);
  });
});
