import { DAY_MS } from '../lib/durations.js';

/** What the receiver takes: it stands open to everybody who finds its port. */
export const INBOUND_LIMITS = {
  mailBytes: 10 * 1024 * 1024,
  clients: 50,
  clientsPerNetwork: 5,
  /** Of all connections, the last ones are for sites that have none. */
  clientsOfNewSites: 10,
  /** And of those, the last ones are for known sites. */
  clientsOfKnownSites: 5,
  /** How many sites are known: many times as many as operators that send reports. */
  knownSites: 1_000,
  /** Since their last mail that we accepted: operators send their reports once a day, and one day may be missed. */
  knownMs: 2 * DAY_MS,
  /** RCPT commands accepted for one token in an hour from one network; what is asked before DATA nobody has to send. */
  mailsPerNetwork: 100,
  /** And from all: so many that strangers who know the address have no use for them. */
  mailsPerToken: 10_000,
  /** Recipients of one connection for whom nobody waits: each is a question to the database. */
  refusedRecipients: 20,
  silenceMs: 60_000,
  /** From the connection to the first MAIL: over the slowest lines a mail server has encrypted and greeted in a third of it. */
  firstMailMs: 30_000,
  /** The longest that one connection lasts, whoever keeps it busy. */
  connectionMs: 10 * 60_000,
  /** At a stop mails under way have so long. */
  drainMs: 10_000,
} as const;

export type InboundLimits = { readonly [Name in keyof typeof INBOUND_LIMITS]: number };

/** A refusal as the sender's server gets it: never with anything of what it sent. */
export class SmtpReply extends Error {
  constructor(
    readonly responseCode: number,
    text: string,
    /** A word for the metrics. */
    readonly outcome: string,
  ) {
    super(text);
  }
}

export const REFUSALS = {
  unknownRecipient: () => new SmtpReply(550, '5.1.1 Nobody waits for mail at this address', 'unknown_recipient'),
  notOurs: () => new SmtpReply(550, '5.7.1 This server takes mail for its own domain only', 'not_ours'),
  tooManyMails: () =>
    new SmtpReply(450, '4.7.1 Too much mail for this address, try again in an hour', 'too_many_mails'),
  tooManyConnections: () => new SmtpReply(421, '4.7.0 Too many connections, try again later', 'too_many_connections'),
  noMail: () => new SmtpReply(421, '4.7.0 No MAIL command came in time', 'no_mail'),
  tooManyRefused: () => new SmtpReply(421, '4.7.0 Too many recipients for whom nobody waits', 'too_many_refused'),
  tooLarge: (maxBytes: number) => new SmtpReply(552, `5.3.4 The mail has more than ${maxBytes} bytes`, 'too_large'),
  bareNewline: () =>
    new SmtpReply(550, '5.6.0 The mail has a line that ends in LF alone, which RFC 5321 forbids', 'bare_newline'),
  away: () => new SmtpReply(451, '4.3.0 This cannot be answered now, try again later', 'away'),
};
