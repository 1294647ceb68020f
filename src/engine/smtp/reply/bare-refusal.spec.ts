import { describe, expect, it } from 'vitest';

import { REPLY_SETS, wireText, type Truth } from '../../../../test/corpus/smtp-corpus.js';
import { decisionTable } from '../../../verify/ports/decision-table-file.js';
import { createClassifier } from './classify.js';
import { replyOf } from './reply.js';

const { speaksOfMore } = createClassifier(decisionTable());

/** Of the labelled refusals for good, the share that speaks of something else than the mailbox, whatever the decision table knows of them. */
function shareThatSpeaksOfMore(truth: Truth): number {
  const replies = Object.values(REPLY_SETS)
    .flat()
    .filter((record) => record.truth === truth)
    .map((record) => replyOf(wireText(record)))
    .filter(({ code }) => code >= 500);
  return replies.filter((reply) => speaksOfMore(reply, 'jane@example.com')).length / replies.length;
}

describe('the words of something else than the mailbox', () => {
  it('the words of something else than the mailbox are in at most 9% of the replies that plainly say that there is no such mailbox, which a witness may settle', () => {
    expect(shareThatSpeaksOfMore('not_found')).toBeLessThanOrEqual(0.09);
  });

  it('the words of something else than the mailbox are in most refusals of us', () => {
    expect(shareThatSpeaksOfMore('not_about_mailbox')).toBeGreaterThanOrEqual(0.85);
  });

  it.each([
    ['550 5.7.1 Rejected by local policy', true],
    ['550 Rejected', false],
    ['550 Access denied', false],
    ['550 Internal server error: operation now in progress', true],
    ['550 Temporarily unavailable', true],
    ['554 5.5.2 Invalid data', true],
    ['550 <client.policy@example.com>: Rejected', false],
  ])(
    'the words of something else than the mailbox are found or not in "%s", and never in the recipient itself',
    (reply, isFound) => {
      expect(speaksOfMore(replyOf(reply), 'client.policy@example.com')).toBe(isFound);
    },
  );
});
