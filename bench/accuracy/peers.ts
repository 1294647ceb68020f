import type { CorpusRecord } from '../../test/corpus/smtp-corpus.js';
import { MAILBOX, type World } from './worlds.js';

/** What an engine makes of a reply to RCPT; `full` and `disabled` where it tells them apart from other refusals. */
export type PeerAnswer = 'valid' | 'invalid' | 'disabled' | 'full' | 'unknown';

/** A reply as the engines of others get it: its code and its lines without codes. */
export interface PeerReply {
  readonly code: number;
  readonly lines: readonly string[];
}

export interface Peer {
  readonly name: string;
  readonly version: string;
  readonly commit: string;
  readonly repository: string;
  /** Where the rules stand in its repository. */
  readonly files: readonly string[];
  readonly licence: string;
  /** What it tells apart from other refusals of a mailbox. */
  readonly tells: readonly ('full' | 'disabled')[];
  /** The verdict from the reply about the mailbox and the one about a made-up name, with the settings that it comes with. */
  readonly judge: (mailbox: PeerReply, madeUp: PeerReply, recipient: string) => PeerAnswer;
}

/** Fits when the code is one of `codes` and the text, in lower case, holds one of `says`; what is not given is not asked. */
interface Rule<Answer> {
  readonly codes?: readonly number[];
  readonly says?: readonly string[];
  readonly answer: Answer;
}

/** Reacher's `is_disabled_account`, `is_full_inbox` and `is_invalid`, in the order in which `check_email_deliverability` asks. */
const REACHER: readonly Rule<PeerAnswer>[] = [
  { says: ['disabled', 'discontinued', 'inactive'], answer: 'disabled' },
  {
    says: ['insufficient', 'mailbox full', 'quote exceeded', 'over quota', 'too many messages', 'out of storage space'],
    answer: 'full',
  },
  { says: ['the user you are trying to contact is receiving mail at a rate that'], answer: 'valid' },
  {
    says: [
      'address rejected',
      'unrouteable',
      'does not exist',
      'invalid address',
      'invalid email address',
      'invalid recipient',
      'may not exist',
      'recipient invalid',
      'recipient rejected',
      'unknown recipient address',
      'unknown recipient',
      'undeliverable',
      'user unknown',
      'unknown user',
      'recipient unknown',
      'no such user',
      'mailbox {recipient} unknown',
      'mailbox not found',
      'invalid mailbox',
      'no mailbox',
      'no such mailbox',
      'mailbox unavailable',
      'mailbox is unavailable',
      'not a valid mailbox',
      'no such recipient',
      'have an account',
      'unknown local part',
      'no longer available',
      "dosn't exist",
      'could not be found',
      'no such person',
      'address error',
      'address is not handled',
      'recipient is not exist',
      'recipient not found',
      "email doesn't exist",
      'verify address failed',
      'unable to verify user',
      'utilisateur inconnu',
      'permanent: 5.1.1',
      'permanent: 5.7.1',
    ],
    answer: 'invalid',
  },
];

/** AfterShip's `ParseSMTPError`: whether a refusal of the made-up name counts as "no catch-all", its `ErrServerUnavailable`. */
const AFTERSHIP: readonly Rule<'unavailable' | 'other'>[] = [
  {
    says: [
      'undeliverable',
      'does not exist',
      'may not exist',
      'user unknown',
      'user not found',
      'invalid address',
      'recipient invalid',
      'recipient rejected',
      'address rejected',
      'no mailbox',
    ],
    answer: 'unavailable',
  },
  {
    codes: [550],
    says: ['spamhaus', 'proofpoint', 'cloudmark', 'banned', 'blacklisted', 'blocked', 'block list', 'denied'],
    answer: 'other',
  },
  { codes: [550], answer: 'unavailable' },
  { codes: [421, 450, 451, 452, 503, 551, 552, 553, 554], answer: 'other' },
  {
    says: ['spamhaus', 'proofpoint', 'cloudmark', 'banned', 'blocked', 'denied', 'timeout', 'no such host'],
    answer: 'other',
  },
  { says: ['unavailable'], answer: 'unavailable' },
];

/** email-validator-js asks these of each line, in the order of `processLine` and `handleEnvelopeReply`. */
const EMAIL_CHECK_APP: readonly Rule<PeerAnswer>[] = [
  {
    says: [
      'high number of',
      'our system has detected unusual activity',
      'contact your service provider for support',
      '[irr]',
    ],
    answer: 'valid',
  },
  { says: ['over quota'], answer: 'full' },
  { says: ['junk', 'spam', 'openspf', 'spoofing', 'host'], answer: 'unknown' },
  { codes: [510, 511, 513, 550, 551, 553], answer: 'invalid' },
];
const EMAIL_CHECK_APP_POLICY = /^5\.7\.\d{1,3}\b/;
const EMAIL_CHECK_APP_BLOCK_LIST = /rbl.+blocked/i;

const DOMAIN = 'reply.example';
const MADE_UP = 'k3x9v7q2m4';

/** Engines whose rules are public, as of the commits named. Those that only look at DNS, and those that are sold, are not here. */
export const PEERS: readonly Peer[] = [
  {
    name: 'Reacher check-if-email-exists',
    version: '0.11.7',
    commit: '81da93e8a419f601c05e1bcf4a197d25eb0e349d',
    repository: 'https://github.com/reacherhq/check-if-email-exists',
    files: ['core/src/smtp/parser.rs', 'core/src/smtp/connect.rs', 'core/src/lib.rs'],
    licence: 'AGPL-3.0',
    tells: ['full', 'disabled'],
    judge: ({ code, lines }, _, recipient) => {
      // The text of async-smtp's error, which its rules are matched with.
      const text = `${code < 500 ? 'transient' : 'permanent'}: ${lines.join('; ')}`;
      return answerBy(REACHER, code, text, recipient) ?? 'unknown';
    },
  },
  {
    name: 'AfterShip email-verifier',
    version: '1.4.1',
    commit: 'a3c5c5b59c44425a9b718c7d1aec1f5148bd288f',
    repository: 'https://github.com/AfterShip/email-verifier',
    files: ['error.go', 'smtp.go', 'verifier.go'],
    licence: 'MIT',
    tells: [],
    judge: (_, { code, lines }) => {
      const text = `${code} ${lines.join('\n')}`;
      // Where the made-up name's refusal is not taken for "no catch-all", the mailbox is never asked about; else any refusal of it is a no.
      return answerBy(AFTERSHIP, code, text) === 'unavailable' ? 'invalid' : 'unknown';
    },
  },
  {
    name: 'email-check-app email-validator-js',
    version: '4.0.0',
    commit: '762395c343622ca01840fc737310bafd653569ed',
    repository: 'https://github.com/email-check-app/email-validator-js',
    files: ['src/smtp-verifier.ts'],
    licence: 'BUSL-1.1',
    tells: ['full'],
    judge: ({ code, lines }) => {
      for (const line of lines) {
        const answer = emailCheckApp(code, line);
        if (answer !== 'unknown') return answer;
      }
      return code === 452 || code === 552 ? 'full' : 'unknown';
    },
  },
  {
    name: 'truemail, `smtp_safe_check`',
    version: '3.3.0',
    commit: 'f3be34dbbf2479ab7a691797cff6c22722dbd228',
    repository: 'https://github.com/truemail-rb/truemail',
    files: ['lib/truemail/core.rb', 'lib/truemail/validate/smtp.rb'],
    licence: 'MIT',
    tells: [],
    // Net::SMTP's error has the first line alone.
    judge: ({ code, lines: [first] }) => {
      const line = `${code} ${first}`;
      return line.includes('550') && /user|account|customer|mailbox/i.test(line) ? 'invalid' : 'valid';
    },
  },
  {
    name: 'truemail, as it comes',
    version: '3.3.0',
    commit: 'f3be34dbbf2479ab7a691797cff6c22722dbd228',
    repository: 'https://github.com/truemail-rb/truemail',
    files: ['lib/truemail/configuration.rb', 'lib/truemail/validate/smtp.rb'],
    licence: 'MIT',
    tells: [],
    judge: () => 'invalid',
  },
  {
    name: 'zytzagoo smtp-validate-email',
    version: '1.1.1',
    commit: '22fb5fed11608b66c0c64f8f2ed49f206295e90b',
    repository: 'https://github.com/zytzagoo/smtp-validate-email',
    files: ['src/Validator.php'],
    licence: 'GPL-3.0-or-later',
    tells: [],
    judge: ({ code }) => ([450, 451, 452].includes(code) ? 'valid' : 'invalid'),
  },
  {
    name: 'deep-email-validator',
    version: '0.1.27',
    commit: '9880f31238d3acd0fc6635e5ae41a6b49f0d233c',
    repository: 'https://github.com/mfbx9da4/deep-email-validator',
    files: ['src/smtp/smtp.ts'],
    licence: 'MIT',
    tells: [],
    judge: () => 'invalid',
  },
];

/** What the engine would say of the mailbox behind a reply. */
export function judgeAsPeer(peer: Peer, record: CorpusRecord, world: World): PeerAnswer {
  const mailbox = peerReply(world.answer(record, MAILBOX, DOMAIN)!);
  const madeUp = peerReply(world.answer(record, MADE_UP, DOMAIN)!);
  return peer.judge(mailbox, madeUp, `${MAILBOX}@${DOMAIN}`);
}

function peerReply(wire: string): PeerReply {
  return { code: Number(wire.slice(0, 3)), lines: wire.split('\r\n').map((line) => line.slice(4)) };
}

function answerBy<Answer>(rules: readonly Rule<Answer>[], code: number, text: string, recipient = ''): Answer | null {
  const lower = text.toLowerCase();
  const fits = ({ codes, says }: Rule<Answer>) =>
    (codes?.includes(code) ?? true) &&
    (says?.some((phrase) => lower.includes(phrase.replace('{recipient}', recipient))) ?? true);
  return rules.find(fits)?.answer ?? null;
}

function emailCheckApp(code: number, line: string): PeerAnswer {
  const answer = answerBy(EMAIL_CHECK_APP, code, line) ?? 'unknown';
  const isExcused = EMAIL_CHECK_APP_POLICY.test(line) || EMAIL_CHECK_APP_BLOCK_LIST.test(line);
  return answer === 'invalid' && isExcused ? 'unknown' : answer;
}
