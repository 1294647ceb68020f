import { type Checks, count, flag, listOf, matching, object, optional, text } from '../../lib/checked-json.js';
import { readRows } from '../../platform/config/config-file.js';

/** A name, or `*.` and a name, which is every name below it. */
export const AUTHSERV_ID = /^(\*\.)?[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
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
