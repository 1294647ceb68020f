import type { ListAgreements } from '../mail-dns/blacklist-row.js';
import type { Env } from '../platform/config/env.js';

/** What the operator of this installation has agreed with the lists, by the environment. */
export function agreementsOf(env: Env): ListAgreements {
  const { spamhausKey, abusixKey, spamratsKey } = env;
  const keys = { spamhaus: spamhausKey, abusix: abusixKey, spamrats: spamratsKey };
  return {
    keys: Object.fromEntries(Object.entries(keys).filter(([, key]) => key !== null)),
    agreed: env.blacklistsRegistered,
    isNonCommercial: env.blacklistsNonCommercial,
  };
}
