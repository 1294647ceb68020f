import { describe, expect, it } from 'vitest';
import { byCause, failedAt, outcomeOf, type Placement, type Report, unansweredIn } from './placement-outcome.js';

const NONE = { measured: 6, inbox: 0, tab: 0, other_folder: 0, spam: 0, missing: 0, pending: 0, seed_error: 0 };

describe('what became of a mail', () => {
  it.each([
    [{ inbox: 6 }, '6 of 6 in the inbox', '6 of 6 mailboxes put it in the inbox.', 'valid', false],
    [
      { inbox: 4, tab: 2 },
      '2 of 6 in a tab, 4 in the inbox',
      '2 of 6 mailboxes put it in a tab, 4 put it in the inbox.',
      'unknown',
      false,
    ],
    [{ inbox: 4, spam: 2 }, '2 of 6 in spam', '2 of 6 mailboxes put it in spam.', 'invalid', true],
    [
      { inbox: 5, other_folder: 1 },
      '1 of 6 in another folder',
      '1 of 6 mailboxes put it in another folder.',
      'risky',
      true,
    ],
    [
      { inbox: 3, spam: 2, missing: 1 },
      '1 of 6 missing, 2 in spam',
      '1 of 6 mailboxes did not get it, 2 put it in spam.',
      'invalid',
      true,
    ],
    [{ measured: 1, spam: 1, seed_error: 5 }, '1 of 1 in spam', '1 of 1 mailbox put it in spam.', 'invalid', true],
    [
      { measured: 2, inbox: 2, pending: 4 },
      '2 of 2 in the inbox',
      'So far 2 of 2 mailboxes put it in the inbox.',
      'valid',
      false,
    ],
    [{ measured: 0, pending: 6 }, 'not measured', 'No mailbox has it yet.', 'unknown', false],
    [{ measured: 0, seed_error: 6 }, 'not measured', 'No mailbox could be measured.', 'unknown', false],
  ])('what became of a mail that went %j is told, the worst first', (some, badge, headline, colour, isBad) => {
    expect(outcomeOf({ ...NONE, ...some })).toEqual({ badge, headline, colour, isBad });
  });
});

type Finding = Report['findings'][number];
const finding = (code: string, severity: Finding['severity'], area: Finding['area']): Finding => {
  return { code, area, severity, explanation: code, evidence: {}, fix: '', record: null, rfc: null };
};

describe('why a mail lies in spam', () => {
  it('why a mail lies in spam is looked for in what harms most, and of that in who sends before what is sent', () => {
    const findings = [
      finding('link_to_address', 'critical', 'content'),
      finding('listed', 'critical', 'reputation'),
      finding('spf_fail', 'critical', 'authentication'),
      finding('dmarc_fail', 'critical', 'authentication'),
      finding('dmarc_policy_none', 'info', 'authentication'),
      finding('tls_missing', 'warning', 'transport'),
    ];
    expect(byCause(findings).map(({ code }) => code)).toEqual([
      'spf_fail',
      'dmarc_fail',
      'listed',
      'link_to_address',
      'tls_missing',
      'dmarc_policy_none',
    ]);
  });

  it('why a mail lies in spam is not known where a check got no answer, unless no mail can answer it', () => {
    const rule = (name: string, result: 'pass' | 'fail' | 'cannot_be_seen') => {
      return { rule: name, result, operators: [], explanation: '' };
    };
    const target = (name: string, status: string, partial = false) => ({
      target: name,
      status,
      coverage: { partial, missing: [] },
    });
    const report = {
      bulk_sender_rules: [
        rule('spf', 'cannot_be_seen'),
        rule('dmarc_record', 'cannot_be_seen'),
        rule('reverse_name', 'cannot_be_seen'),
        rule('dkim', 'fail'),
        rule('tls', 'pass'),
        rule('complaint_rate', 'cannot_be_seen'),
        rule('unsubscribe_within_two_days', 'cannot_be_seen'),
      ],
      reputation: [
        target('8.8.4.25', 'unknown'),
        target('a.example', 'clean'),
        target('b.example', 'clean', true),
        target('c.example', 'listed'),
      ],
    } as unknown as Report;
    expect(unansweredIn(report)).toEqual([
      'SPF',
      'DMARC record',
      'reverse name',
      'block lists about 8.8.4.25',
      'block lists about b.example',
    ]);
  });

  it('why a mail lies in spam is said by the providers that put it there, each result once and none that passed', () => {
    const seed = (placement: string, spf: string | null) => ({
      placement,
      authentication: spf === null ? null : { spf, dkim: 'pass', dmarc: null },
    });
    const providers = [
      { provider: 'gmail', seeds: [seed('spam', 'fail'), seed('spam', 'fail'), seed('inbox', 'softfail')] },
      { provider: 'outlook', seeds: [seed('missing', null), seed('spam', 'pass')] },
    ];
    expect(failedAt({ providers } as unknown as Placement)).toEqual(['Gmail: SPF fail']);
  });
});
