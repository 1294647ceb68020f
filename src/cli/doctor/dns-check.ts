import type { ResolverFinding } from '../../mail-dns/resolver-check.js';
import { fail, pass, skipped, type CheckResult } from './check-result.js';

/** Whether the resolver tells the truth: behind captive portals and closed networks, resolvers answer alike for every name. */
export function examineResolver(finding: ResolverFinding | null, knownDomains: readonly string[]): CheckResult {
  const known = knownDomains.join(', ');
  switch (finding) {
    case 'honest':
      return pass('dns', `the resolver knows ${known}, and no made-up name`);
    case 'denies':
      return fail(
        'dns',
        `the resolver says that none of ${known} exists`,
        'Set DNS_SERVERS to a resolver that reaches the internet or, where the DNS has no names of it, DNS_KNOWN_DOMAINS to domains of yours. Until then verdicts are unknown, dns_error.',
      );
    case 'makes_up':
      return fail(
        'dns',
        'the resolver knows a name that nobody has registered, as behind a login page or with a provider that sells mistyped names',
        'Set DNS_SERVERS to a resolver of your own. Until then verdicts are unknown, dns_error.',
      );
    case null:
      return skipped(
        'dns',
        `the DNS did not answer for ${known} and a made-up name`,
        'Does DNS_SERVERS name a resolver that runs?',
      );
  }
}
