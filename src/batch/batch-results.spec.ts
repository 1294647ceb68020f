import { expect, it } from 'vitest';
import { type ChunkResult, ResultsEncoder, type Verification } from './batch-results.js';
import { StoredAnswers } from './stored-answers.js';

const EMAILS = ['a@x.example', 'B@X.example', 'c@y.example', 'd@x.example'];

function answer(offset: number, own: Partial<Verification> = {}): ChunkResult {
  const email = EMAILS[offset]!;
  const verification: Verification = {
    email,
    normalizedEmail: email,
    verdict: 'valid',
    reason: 'mailbox_exists',
    score: 95,
    confidence: 0.97,
    checks: {
      syntax: 'pass',
      mx: 'pass',
      smtp: 'pass',
      catchAll: 'no',
      disposable: false,
      role: false,
      free: false,
      spamTrap: false,
      privacyRelay: false,
    },
    didYouMean: null,
    provider: null,
    mxHost: 'mx.x.example',
    retryAfterSeconds: null,
    evidence: {
      stage: 'rcpt',
      mxHost: 'mx.x.example',
      mxAddress: '192.0.2.1',
      code: 250,
      enhanced: '2.1.5',
      text: `Ok ${offset}`,
      at: 1_000 + offset,
      fromCache: false,
    },
    checkedAt: 2_000 + offset,
    ...own,
  };
  return { offset, verification, creditsCharged: 1, latencyMs: 5 + offset };
}

function written(answers: readonly ChunkResult[]): string {
  const encoder = new ResultsEncoder();
  for (const one of answers) encoder.add(one);
  return encoder.toString();
}

it('answers are read as they were written, in whatever order, with all that differs', () => {
  const { checks, evidence } = answer(0).verification;
  const answers = [
    answer(2, { mxHost: 'mx.y.example', normalizedEmail: null, didYouMean: 'c@z.example' }),
    answer(0),
    answer(1, { normalizedEmail: 'B@x.example', checks: { ...checks, role: true } }),
    { ...answer(3, { evidence: { ...evidence, code: 251 } }), creditsCharged: 0 },
  ];
  const stored = new StoredAnswers(written(answers), EMAILS);
  for (const one of answers) expect(stored.at(one.offset)).toEqual(one);
  expect(new StoredAnswers(written([answer(1)]), EMAILS).verdictAt(0)).toBeNull();
});

it('what addresses have in common is written once', () => {
  const text = written([answer(0), answer(3)]);
  expect(text.split('"syntax"')).toHaveLength(2);
});
