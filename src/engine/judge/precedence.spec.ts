import { describe, expect, it } from 'vitest';

import {
  answered,
  judgeInput,
  mailOutcomes,
  NO_FLAGS,
  replied,
  connectFailed,
} from '../../../test/support/judge-input.js';
import type { ListFlags } from '../types.js';
import type { MailOutcome } from './causes.js';
import { judge } from './judge.js';

describe('when several reasons hold', () => {
  const role = { ...NO_FLAGS, role: true };
  const every = { ...role, disposable: true, spamTrap: true };
  const reasonOf = (mail: MailOutcome, flags: ListFlags) => judge(judgeInput(mail, { flags })).reason;

  it('when several reasons hold invalid comes before all', () => {
    expect(reasonOf(answered(replied('not_found')), every)).toBe('mailbox_not_found');
    expect(reasonOf({ kind: 'domain', outcome: 'null_mx', detail: '', fromCache: false }, every)).toBe('null_mx');
  });

  it('when several reasons hold risky comes before unknown and valid', () => {
    expect(reasonOf(answered(connectFailed('timeout')), { ...NO_FLAGS, disposable: true })).toBe('disposable');
    expect(reasonOf(answered(connectFailed('timeout')), { ...NO_FLAGS, spamTrap: true })).toBe('spam_trap');
    expect(reasonOf(answered(replied('accepted'), 'no'), role)).toBe('role_account');
    expect(reasonOf({ kind: 'hidden' }, { ...NO_FLAGS, disposable: true })).toBe('disposable');
  });

  it('a role counts only where the mailbox is known to exist, and changes nothing else', () => {
    for (const mail of mailOutcomes()) {
      const { checks, ...told } = judge(judgeInput(mail, { flags: role }));
      const { checks: plain, ...other } = judge(judgeInput(mail));
      expect(checks).toEqual({ ...plain, role: true });
      if (other.verdict === 'valid') expect([told.verdict, told.reason]).toEqual(['risky', 'role_account']);
      else expect(told).toEqual(other);
    }
  });

  it('the order of the reasons decides within a verdict', () => {
    expect(reasonOf(answered(replied('accepted'), 'yes'), every)).toBe('spam_trap');
    expect(reasonOf(answered(replied('accepted'), 'yes'), { ...every, spamTrap: false })).toBe('disposable');
    expect(reasonOf(answered(replied('accepted'), 'yes'), role)).toBe('catch_all');
    expect(reasonOf(answered(replied('full')), role)).toBe('mailbox_full');
    expect(reasonOf(answered(replied('restricted')), role)).toBe('mailbox_restricted');
  });

  it('when several reasons hold free mail and privacy relays change nothing', () => {
    const flags = { ...NO_FLAGS, free: true, privacyRelay: true };
    for (const mail of mailOutcomes()) {
      const { checks, ...rest } = judge(judgeInput(mail, { flags }));
      const { checks: plain, ...other } = judge(judgeInput(mail));
      expect(rest).toEqual(other);
      expect(checks).toEqual({ ...plain, free: true, privacyRelay: true });
    }
  });

  it('a suggestion changes nothing', () => {
    for (const mail of mailOutcomes()) {
      const { didYouMean, ...rest } = judge(judgeInput(mail, { didYouMean: 'jane@example.org' }));
      const { didYouMean: none, ...other } = judge(judgeInput(mail));
      expect(rest).toEqual(other);
      expect([didYouMean, none]).toEqual(['jane@example.org', null]);
    }
  });

  it('a listed address is less safe to send to than the same one that is not', () => {
    const score = (flags: ListFlags) => judge(judgeInput(answered(replied('accepted'), 'no'), { flags })).score;
    const scores = [every, { ...role, disposable: true }, role, NO_FLAGS].map(score);
    expect(scores).toEqual(scores.slice().sort((one, other) => one - other));
  });
});
