import { Resolver } from 'node:dns/promises';
import type { LookUp } from './guarded-connector.js';

/** Nest token of the `LookUp`. */
export const LOOK_UP = Symbol('LOOK_UP');

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Asks DNS itself. Not the system's `getaddrinfo`: that believes `/etc/hosts`, and a name that hangs would hold one of the four
 * threads that the whole process has for it.
 * @param dnsServers empty: the system's
 */
export function createLookUp(dnsServers: readonly string[]): LookUp {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
    return addresses;
  };
}
