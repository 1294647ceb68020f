import type { ResolverJudge } from '../mail-dns/resolver-judge.js';
import type { AddressLookup } from '../platform/outbound/guarded-connector.js';

/** What c-ares calls a denial. */
const DENIALS: Readonly<Record<string, 'nxdomain' | 'nodata'>> = { ENOTFOUND: 'nxdomain', ENODATA: 'nodata' };

/** Nothing that can be believed was said of a name: the resolver lies. */
class UntrustedLookup extends Error {
  readonly code = 'EUNTRUSTED';

  constructor(name: string) {
    super(`what the resolver says of ${name} is not believed`);
    this.name = 'UntrustedLookup';
  }
}

/**
 * The same look-up. It rejects with `EUNTRUSTED` where the judge of the resolver does not believe that a name has no address. Addresses that
 * are found are taken also from a resolver that makes some up: who connects to one checks it, and its certificate.
 */
export function trustedLookup(lookUp: AddressLookup, judge: ResolverJudge): AddressLookup {
  return async (name) => {
    let found: readonly string[] | null = null;
    let fault: unknown = null;
    const answer = await judge.ask(async () => {
      try {
        found = await lookUp(name);
        return { outcome: 'found', records: found, ttlSeconds: 0 } as const;
      } catch (error) {
        fault = error;
        return { outcome: DENIALS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'servfail' } as const;
      }
    });
    if (found !== null) return found;
    throw answer.outcome === 'untrusted' ? new UntrustedLookup(name) : fault;
  };
}
