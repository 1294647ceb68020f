import type { Address, Reason, Verdict } from '../engine/types.js';

/** The DNS, the mail host and the lists that a magic word simulates, and the engine's verdict about them. */
export interface Scenario {
  /** The row's text in `docs/test-mode.md`. */
  readonly description: string;
  readonly verdict: Verdict;
  readonly reason: Reason;
  /** The domain's records in the DNS: a mail host, a null MX (RFC 7505), or neither MX nor address records. */
  readonly mx: 'host' | 'null' | 'none';
  readonly connection: 'open' | 'silent' | 'unreachable';
  /** The answer to `RCPT TO` for the address; `{recipient}` and `{client}` become the names that a server would write. */
  readonly mailbox: string;
  /** The answer for a made-up name. */
  readonly madeUp: string;
  /** The list on which the address is found. */
  readonly listed: 'disposable' | 'role' | 'spam_trap' | null;
}

const ACCEPTED = '250 2.1.5 Ok';
const UNKNOWN = '550 5.1.1 <{recipient}>: Recipient address rejected: User unknown in virtual mailbox table';

function scenario(verdict: Verdict, reason: Reason, tells: string, different: Partial<Scenario> = {}): Scenario {
  const well = { mx: 'host', connection: 'open', mailbox: ACCEPTED, madeUp: UNKNOWN, listed: null } as const;
  return { verdict, reason, description: tells, ...well, ...different };
}

/**
 * The replies are what servers say: Postfix, Dovecot's quota service behind it, Gmail, milter-greylist. What decides in them
 * must not be the magic word alone: what a reply repeats of the address does not count for the engine.
 */
export const SCENARIOS = {
  valid: scenario('valid', 'mailbox_exists', 'The mailbox exists; so does every address without a magic word.'),
  invalid: scenario('invalid', 'mailbox_not_found', 'The server says that there is no such mailbox.', {
    mailbox: UNKNOWN,
  }),
  'catch-all': scenario('risky', 'catch_all', 'The domain accepts every name.', { madeUp: ACCEPTED }),
  disposable: scenario('risky', 'disposable', 'The domain is one of throw-away mailboxes.', { listed: 'disposable' }),
  role: scenario('risky', 'role_account', 'The address stands for a task, not for a person.', { listed: 'role' }),
  full: scenario('risky', 'mailbox_full', 'The mailbox exists and is full.', {
    mailbox:
      '552 5.2.2 <{recipient}>: Recipient address rejected: Mailbox is full / Blocks limit exceeded / Inode limit exceeded',
  }),
  disabled: scenario('invalid', 'mailbox_disabled', 'The mailbox existed and was closed.', {
    mailbox:
      '550 5.2.1 The email account that you tried to reach is disabled. Learn more at https://support.google.com/mail/?p=DisabledUser - gsmtp',
  }),
  greylisted: scenario('unknown', 'greylisted', 'The server asks to come back; it does so each time.', {
    mailbox: '451 4.7.1 Greylisting in action, please come back in 00:05:00',
  }),
  timeout: scenario('unknown', 'smtp_timeout', 'The mail server stays silent. The answer comes at once all the same.', {
    connection: 'silent',
  }),
  blocked: scenario('unknown', 'ip_blocked', 'The server refuses us because of a block list.', {
    mailbox:
      '554 5.7.1 Service unavailable; Client host [{client}] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/{client}',
  }),
  'spam-trap': scenario('risky', 'spam_trap', 'The address is listed as a spam trap.', { listed: 'spam_trap' }),
  'no-mx': scenario('invalid', 'no_mail_server', 'The domain exists and names no mail server.', { mx: 'none' }),
  'null-mx': scenario('invalid', 'null_mx', 'The domain declares that it takes no mail.', { mx: 'null' }),
  unreachable: scenario('unknown', 'smtp_unreachable', 'No connection to the mail server can be made.', {
    connection: 'unreachable',
  }),
} as const satisfies Record<string, Scenario>;

/** Words that make the request fail instead of giving a verdict, with the error's code. */
export const SIMULATED_REFUSALS = {
  'insufficient-credits': 'credits_insufficient',
  'rate-limited': 'rate_limited',
} as const;

export type Refusal = (typeof SIMULATED_REFUSALS)[keyof typeof SIMULATED_REFUSALS];

type Named = Pick<Address, 'localPart' | 'tag'>;

export function scenarioOf(address: Named): Scenario {
  return magicWord(SCENARIOS, address) ?? SCENARIOS.valid;
}

export function refusalOf(address: Named): Refusal | null {
  return magicWord(SIMULATED_REFUSALS, address);
}

/** The outcome of a search, decided by the first magic word among the texts, such as a family name or the first label of a domain. */
export function scenarioOfAny(texts: readonly string[]): Scenario {
  return firstWord(SCENARIOS, texts) ?? SCENARIOS.valid;
}

export function refusalOfAny(texts: readonly string[]): Refusal | null {
  return firstWord(SIMULATED_REFUSALS, texts);
}

/** The tag decides before the name in front of it. */
function magicWord<T>(words: Readonly<Record<string, T>>, { localPart, tag }: Named): T | null {
  return firstWord(words, [tag ?? '', tag === null ? localPart : localPart.slice(0, -tag.length - 1)]);
}

/** Case does not matter, and a space is as good as a hyphen. */
function firstWord<T>(words: Readonly<Record<string, T>>, texts: readonly string[]): T | null {
  const word = texts
    .map((text) => text.trim().toLowerCase().replaceAll(' ', '-'))
    .find((text) => Object.hasOwn(words, text));
  return word === undefined ? null : words[word]!;
}
