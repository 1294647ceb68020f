import { HOUR_MS } from '../../lib/durations.js';
import type { Security } from './imap/mailbox-access.js';

/**
 * A mailbox of the operator at a mail operator.
 *
 * It is on or off. One that is on is used by new tests once it was read (`lastOkAt`); three health checks in a row that cannot read it turn
 * it off, and an administrator turns it on again, or gives it new credentials. It is never deleted by itself, since tests point to it.
 */
export interface Seed {
  readonly id: string;
  /** A row of `config/seed-providers.json`. */
  readonly provider: string;
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly security: Security;
  readonly login: string;
  /** Whose `Authentication-Results` are believed besides the provider's own. */
  readonly authservId: string | null;
  readonly state: 'on' | 'off';
  /** Of the last failure, or of the one who turned it off. */
  readonly why: string | null;
  readonly failures: number;
  readonly createdAt: Date;
  readonly lastOkAt: Date | null;
  readonly checkedAt: Date | null;
}

/** A seed that one worker reads, with what opens it. */
export interface LeasedSeed extends Seed {
  /** Sealed. */
  readonly credentials: Buffer;
  readonly isCheckDue: boolean;
}

/** Health checks that may fail in a row, an hour apart. */
export const MAX_FAILURES = 3;
export const CHECK_EVERY_MS = HOUR_MS;
/** Longer than any session with a mailbox. */
export const LEASE_MS = 180_000;
