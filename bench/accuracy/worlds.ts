import type { CorpusRecord, Truth } from '../../test/corpus/smtp-corpus.js';
import { spokenReply } from './dialogue.js';

/** The mailbox that a labelled reply is about, or that exists behind one that is not about any. */
export const MAILBOX = 'jane';
/** Further mailboxes of each domain. */
const OTHERS = ['robin', 'kim'];
/** RFC 5321 section 4.5.1 demands the first, RFC 2142 the second. */
const ROLES = ['postmaster', 'abuse'];
/** Further names of each domain that a batch asks about, one that nobody has among them. */
export const NEIGHBOURS = [...OTHERS, 'nobody.here', ...ROLES];

/** A mail host's behaviour towards us, apart from the labelled reply itself. */
export interface World {
  readonly name: string;
  readonly truths: readonly Truth[];
  /** The reply to RCPT for a name at the domain, null for an acceptance. */
  readonly answer: (record: CorpusRecord, localPart: string, domain: string) => string | null;
}

/**
 * The server says that it does not take mail for the domain. Not so Sendmail where it blames the client's name in the DNS, and Mimecast, which
 * asks to come again while it has not verified a domain.
 */
export function deniesRelaying({ truth, reply }: CorpusRecord): boolean {
  return truth === 'not_about_mailbox' && /\brelay|rcpthosts/i.test(reply) && !/IP name|open relay/i.test(reply);
}

/** The reply is about us: each name gets it, and a mailbox stands behind it. */
export const REFUSES_ALL: World = {
  name: 'refuses everybody',
  truths: ['not_about_mailbox', 'ambiguous'],
  answer: spokenReply,
};

/** The same at a host that exempts postmaster from its blocks, as Exim's shipped configuration does. */
export const LETS_POSTMASTER_IN: World = {
  name: 'lets postmaster in',
  truths: ['not_about_mailbox', 'ambiguous'],
  answer: (record, localPart, domain) =>
    localPart.toLowerCase() === 'postmaster' ? null : spokenReply(record, localPart, domain),
};

/** The same at a host that exempts `abuse` and one of its people, too. */
export const EXEMPTS_SOME: World = {
  name: 'exempts some names',
  truths: ['not_about_mailbox', 'ambiguous'],
  answer: (record, localPart, domain) =>
    [OTHERS[0], ...ROLES].includes(localPart.toLowerCase()) ? null : spokenReply(record, localPart, domain),
};

/**
 * The host serves us, and the reply is about the mailbox: others are accepted, and a name that nobody has gets the host's plain words. Where
 * the reply itself says that there is no such mailbox, or could, those are its words: a server has one text for all names that it lacks.
 */
export const HONEST: World = {
  name: 'honest',
  truths: ['not_found', 'full', 'disabled', 'restricted', 'ambiguous'],
  answer: (record, localPart, domain) => {
    if ([...OTHERS, ...ROLES].includes(localPart.toLowerCase())) return null;
    const isOfReply = localPart === MAILBOX || record.truth === 'not_found' || record.truth === 'ambiguous';
    return isOfReply ? spokenReply(record, localPart, domain) : `550 5.1.1 <${localPart}@${domain}>: User unknown`;
  },
};
