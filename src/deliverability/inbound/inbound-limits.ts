import { DAY_MS } from '../../lib/durations.js';

/** What the receiver takes: it stands open to everybody who finds its port. */
export const INBOUND_LIMITS = {
  mailBytes: 10 * 1024 * 1024,
  clients: 50,
  /** A network is a /24 of IPv4 or a /64 of IPv6. */
  clientsPerNetwork: 5,
  /** Of all connections, the last ones are for sites that have none: a /24 of IPv4, or a /48 of IPv6. */
  clientsOfNewSites: 10,
  /** And of those, the last ones are for known sites. */
  clientsOfKnownSites: 5,
  /** How many sites are known: many times as many as operators that send reports. */
  knownSites: 1_000,
  /** Since their last mail that we accepted: operators send their reports once a day, and one day may be missed. */
  knownMs: 2 * DAY_MS,
  /**
   * RCPT commands accepted for one token in an hour from one sender, an IPv4 address or a /48 of IPv6; what is asked before DATA nobody has to
   * send.
   */
  mailsPerSender: 100,
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
