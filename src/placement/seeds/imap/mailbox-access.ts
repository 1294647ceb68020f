import type { Timer } from '../../../platform/clock.js';
import type { LookUp } from '../../../platform/outbound/guarded-connector.js';

/** How a connection is protected: from its first byte, by STARTTLS before anything secret is said, or not at all, to loopback only. */
export const SECURITIES = ['tls', 'starttls', 'none'] as const;
export type Security = (typeof SECURITIES)[number];

/** Where a mailbox is, and what opens it. */
export interface MailboxAccess {
  readonly host: string;
  readonly port: number;
  readonly security: Security;
  readonly user: string;
  readonly secret: { readonly password: string } | { readonly accessToken: string };
}

/** What a server may take of us, whatever it does. */
export interface ImapLimits {
  readonly connectMs: number;
  /** From a question to its whole answer. */
  readonly callMs: number;
  readonly sessionMs: number;
  readonly responseBytes: number;
  /** For all folders of a mailbox together. */
  readonly listBytes: number;
  readonly sessionBytes: number;
}

export const IMAP_LIMITS: ImapLimits = {
  connectMs: 10_000,
  callMs: 20_000,
  sessionMs: 90_000,
  responseBytes: 1_048_576,
  // Five hundred folders and more, though a mailbox for tests has a dozen; the library takes 40 µs for each in one go.
  listBytes: 65_536,
  sessionBytes: 16_777_216,
};

/** What a session needs of the world. */
export interface ImapWorld {
  readonly lookUp: LookUp;
  /** Whether private addresses may be connected to, and loopback without TLS. */
  readonly allowsPrivate: boolean;
  readonly limits: ImapLimits;
  readonly timer: Timer;
  /** In tests: who else may sign a server's certificate. */
  readonly ca?: string;
}

/** Nest token of the `ImapWorld`. */
export const IMAP_WORLD = Symbol('IMAP_WORLD');
