import { describe, expect, it } from 'vitest';

import {
  answered,
  AT,
  judgeInput,
  mailOutcomes,
  NO_FLAGS,
  connectFailed,
  replied,
} from '../../../test/support/judge-input.js';
import { parseAddress } from '../syntax/address.js';
import { REASONS, type Reason, type ReplyClass, type Verdict } from '../types.js';
import type { JudgeInput } from './causes.js';
import { judge } from './judge.js';
import { SCORE_TABLE } from './score-table.js';

function* everything(): Generator<JudgeInput> {
  yield judgeInput(null, { parsed: parseAddress('nobody') });
  for (const catchAll of ['yes', 'no'] as const) {
    yield judgeInput(answered(replied('accepted', { host: '192.0.2.1' }), catchAll));
  }
  for (const mail of mailOutcomes()) {
    for (const gateway of [false, true]) {
      yield judgeInput(mail, { gateway });
      for (const flag of ['disposable', 'role', 'free', 'spamTrap', 'privacyRelay'] as const) {
        yield judgeInput(mail, { gateway, flags: { ...NO_FLAGS, [flag]: true } });
      }
    }
  }
}

const SCORES = (Object.keys(SCORE_TABLE) as Reason[]).flatMap((reason) =>
  SCORE_TABLE[reason].map((score) => ({ reason, ...score })),
);

const VERDICT_OF = new Map<Reason, Verdict>(
  (Object.keys(REASONS) as Verdict[]).flatMap((verdict) =>
    REASONS[verdict].map((reason): [Reason, Verdict] => [reason, verdict]),
  ),
);

describe('the judge', () => {
  const all = [...everything()].map((found) => ({ found, verification: judge(found) }));

  it('the judge reaches every reason', () => {
    const reached = new Set(all.map(({ verification }) => verification.reason));
    expect([...VERDICT_OF.keys()].filter((reason) => !reached.has(reason))).toEqual([]);
  });

  it('the judge reaches every row of the score table', () => {
    const reached = new Set(
      all.map(({ verification: { reason, score, confidence } }) => `${reason} ${score} ${confidence}`),
    );
    const rows = SCORES.map(({ reason, score, confidence }) => `${reason} ${score} ${confidence}`);
    expect(rows.filter((row) => !reached.has(row))).toEqual([]);
  });

  it("the judge keeps every score in its verdict's band", () => {
    const bands: Record<Verdict, [number, number]> = {
      invalid: [0, 10],
      risky: [11, 79],
      unknown: [11, 79],
      valid: [80, 100],
    };
    for (const { reason, score, confidence } of SCORES) {
      const [least, most] = bands[VERDICT_OF.get(reason)!];
      expect(score, reason).toBeGreaterThanOrEqual(least);
      expect(score, reason).toBeLessThanOrEqual(most);
      expect(confidence, reason).toBeGreaterThanOrEqual(0);
      expect(confidence, reason).toBeLessThanOrEqual(1);
    }
  });

  it('the judge gives each reason the verdict it belongs to, and evidence', () => {
    const wrong = all.filter(({ found, verification: { verdict, reason, evidence, checkedAt } }) => {
      const isStaged = found.parsed.ok === (evidence.stage !== 'syntax');
      return verdict !== VERDICT_OF.get(reason) || !isStaged || evidence.at !== AT || checkedAt !== AT;
    });
    expect(wrong).toEqual([]);
  });

  it('the judge never calls an address invalid for a reply from before it was named, or without a reply', () => {
    const guilty = all.filter(({ found: { parsed, mail }, verification }) => {
      if (verification.verdict !== 'invalid' || !parsed.ok || mail === null || mail.kind === 'domain') return false;
      if (mail.kind !== 'answered') return true;
      if (mail.answer.kind === 'connect_failed') return !['unroutable', 'no_address'].includes(mail.answer.problem);
      return mail.answer.kind !== 'replied' || mail.answer.stage !== 'rcpt';
    });
    expect(guilty.map(({ verification }) => verification.reason)).toEqual([]);
  });

  it('the judge never calls an address valid that no server accepted or confirmed', () => {
    const owned = new Set<ReplyClass>(['accepted', 'recipient_rate']);
    const lucky = all.filter(({ found: { mail }, verification }) => {
      if (verification.verdict !== 'valid') return false;
      return (
        mail?.kind !== 'answered' || mail.answer.kind !== 'replied' || !owned.has(mail.answer.classification.class)
      );
    });
    expect(lucky).toEqual([]);
  });

  it('the judge calls an acceptance by a host that the MX record names by its address risky, and is as sure of a refusal', () => {
    const told = (about: ReplyClass, host: string, email = 'jane@example.com') => {
      const mail = answered(replied(about, { host }), 'no');
      const { verdict, score, confidence } = judge(judgeInput(mail, { parsed: parseAddress(email) }));
      return { verdict, score, confidence };
    };
    const usual = told('accepted', 'mx.example.com');
    for (const address of ['192.0.2.1', '2001:db8::1']) {
      const { verdict, score, confidence } = told('accepted', address);
      expect([verdict, score < usual.score, confidence < usual.confidence]).toEqual(['risky', true, true]);
      expect(told('not_found', address)).toEqual(told('not_found', 'mx.example.com'));
    }
    expect(told('accepted', '192.0.2.1', 'jane@[192.0.2.1]')).toEqual(usual);
  });

  it('the judge gives a time for a retry with unknown verdicts only', () => {
    const wrong = all.filter(({ verification: { verdict, retryAfterSeconds } }) => {
      return retryAfterSeconds !== null && (verdict !== 'unknown' || retryAfterSeconds <= 0);
    });
    expect(wrong).toEqual([]);
  });

  it('the judge takes the time for a retry from the open circuit', () => {
    const mail = answered({ ...connectFailed('circuit_open'), retryAfterMs: 61_001, fromCache: true });
    const { reason, retryAfterSeconds, evidence } = judge(judgeInput(mail));
    expect({ reason, retryAfterSeconds }).toEqual({ reason: 'ip_blocked', retryAfterSeconds: 62 });
    expect(evidence.fromCache).toBe(true);
  });
});
