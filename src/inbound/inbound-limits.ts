/** What the receiver takes: it stands open to everybody who finds its port. */
export const INBOUND_LIMITS = {
  mailBytes: 10 * 1024 * 1024,
  clients: 50,
  clientsPerNetwork: 5,
  /** Mails for one token in an hour. */
  mailsPerToken: 100,
  /** Recipients of one connection for whom nobody waits: each is a question to the database. */
  refusedRecipients: 20,
  silenceMs: 60_000,
  /** The longest that one connection lasts, whoever keeps it busy. */
  connectionMs: 10 * 60_000,
  /** At a stop mails under way have so long. */
  drainMs: 10_000,
} as const;

export type InboundLimits = { readonly [Name in keyof typeof INBOUND_LIMITS]: number };
