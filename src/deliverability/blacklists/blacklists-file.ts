import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Blacklist, type KeyOwner, type ListAgreements, parseBlacklists } from '../../mail-dns/blacklist-row.js';
import { CONFIG_DIRECTORY } from '../../platform/config/config-file.js';
import type { Env } from '../../platform/config/env.js';

/** Reads `config/blacklists.json`. @throws Error naming row and field that are wrong */
export function readBlacklists(): readonly Blacklist[] {
  return parseBlacklists(JSON.parse(readFileSync(join(CONFIG_DIRECTORY, 'blacklists.json'), 'utf8')));
}

/** What the operator of this installation has agreed with the lists, by the environment. */
export function agreementsOf(env: Env): ListAgreements {
  const { spamhausKey, abusixKey, spamratsKey } = env;
  const keys = { spamhaus: spamhausKey, abusix: abusixKey, spamrats: spamratsKey } satisfies Record<
    KeyOwner,
    string | null
  >;
  return {
    keys: Object.fromEntries(Object.entries(keys).filter(([, key]) => key !== null)),
    agreed: env.blacklistsRegistered,
    isNonCommercial: env.blacklistsNonCommercial,
  };
}
