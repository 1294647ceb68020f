import { type Checks, count, flag, listOf, matching, object, optional, text } from '../../../lib/checked-json.js';
import { HOUR_MS } from '../../../lib/durations.js';
import type { Security } from './mailbox-access.js';
import { readRows } from '../../../platform/config/config-file.js';

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

/** A name, or `*.` and a name, which is every name below it. */
const AUTHSERV_ID = /^(\*\.)?[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const HOST = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** A row of `config/seed-providers.json`: where a provider's mailboxes are read, and whose words on authentication are its own. */
export interface SeedProvider {
  readonly title: string;
  /** Null: each seed says it. */
  readonly host: string | null;
  readonly port: number;
  readonly authservIds: readonly string[];
  /** It names no server in its `Authentication-Results`. */
  readonly isUnnamed: boolean;
  readonly why: string;
}

const SEED_PROVIDER = object<Checks<SeedProvider>>({
  title: text,
  host: optional(matching(HOST, 'a host name in lower case'), null),
  port: count(1, 65_535),
  authservIds: listOf(matching(AUTHSERV_ID, 'a name, or *. and a name'), 'a list of up to 10 names', 0, 10),
  isUnnamed: flag,
  why: text,
});

/** @throws ConfigurationError naming row and field that are wrong */
export function readSeedProviders(directory?: string): ReadonlyMap<string, SeedProvider> {
  return readRows('seed-providers.json', SEED_PROVIDER, directory);
}

/** As administrators name them. */
export const SEED_PROVIDERS: readonly string[] = [...readSeedProviders().keys()];
