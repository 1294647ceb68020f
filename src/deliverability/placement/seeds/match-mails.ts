import type { SeedStatus } from '../placement-test.js';
import { decodedText, firstField, fromDomainOf, type HeaderField, messageIdOf } from './mail-headers.js';

export type MatchedBy = NonNullable<SeedStatus['matchedBy']>;

/** From the surest to the weakest: a sender who has left the marker out is found too, and is told by what. */
export const MATCH_ORDER = ['recipient', 'header', 'subject', 'body', 'message_id', 'from_and_subject'] as const;

/** What the receiver's own copy of a test says of itself. */
export interface OwnCopy {
  readonly messageId: string | null;
  readonly fromDomain: string | null;
  readonly subject: string | null;
}

/** A test whose mail is looked for. */
export interface SoughtTest {
  readonly testId: number;
  readonly token: string;
  readonly createdAt: Date;
  /** Null: our receiver has none. */
  readonly own: OwnCopy | null;
  /** No other test of the account waits: only then do author and subject tell whose a mail is. */
  readonly isAlone: boolean;
}

/** A mail of a mailbox. */
export interface SeenMail {
  readonly uid: number;
  readonly arrivedAt: Date;
  readonly fields: readonly HeaderField[];
}

/** Clocks of servers differ. */
const SKEW_MS = 300_000;
const RECIPIENT_FIELDS = new Set(['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'resent-to']);

const TEST_HEADER = 'x-mailsonde-test';

/** By what a mail is known for that of a test, the body left out, which the server searches; null: it is not. */
export function matchedBy(test: SoughtTest, { arrivedAt, fields }: SeenMail): Exclude<MatchedBy, 'body'> | null {
  if (arrivedAt.getTime() < test.createdAt.getTime() - SKEW_MS) return null;
  const { token, own } = test;
  const address = new RegExp(`test-${token}(\\+[^@\\s]{0,64})?@`, 'i');
  if (fields.some(({ name, value }) => RECIPIENT_FIELDS.has(name) && address.test(value))) return 'recipient';
  const holdsToken = (text: string | null): boolean =>
    text !== null && new RegExp(`(^|[^a-z0-9])${token}([^a-z0-9]|$)`, 'i').test(text);
  if (fields.some(({ name, value }) => name === TEST_HEADER && holdsToken(value))) return 'header';
  const subject = firstField(fields, 'subject');
  const said = subject === null ? null : decodedText(subject);
  if (holdsToken(said)) return 'subject';
  if (own === null) return null;
  if (own.messageId !== null && own.messageId === messageIdOf(fields)) return 'message_id';
  const isSame = own.fromDomain !== null && own.fromDomain === fromDomainOf(fields) && own.subject !== null;
  return test.isAlone && isSame && own.subject === said ? 'from_and_subject' : null;
}

/** What the own copy is compared by. */
export function ownCopyOf(fields: readonly HeaderField[]): OwnCopy {
  const subject = firstField(fields, 'subject');
  return {
    messageId: messageIdOf(fields),
    fromDomain: fromDomainOf(fields),
    subject: subject === null ? null : decodedText(subject),
  };
}

/** Whether `one` is the surer sign. */
export function isSurer(one: MatchedBy, other: MatchedBy): boolean {
  return MATCH_ORDER.indexOf(one) < MATCH_ORDER.indexOf(other);
}
