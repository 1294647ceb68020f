import { parseAddress } from '../syntax/address.js';
import { UNTRUSTED, type Reason, type Verification } from '../types.js';
import { judge } from './judge.js';

/** Reasons for which the DNS has denied a domain, its mail hosts or their addresses. */
const DENIED: readonly Reason[] = ['domain_not_found', 'no_mail_server'];

/** Whether nothing but the DNS resolver's word stands behind the verdict: a lie of it would make it false. */
export function restsOnDenial({ reason, evidence, email }: Verification): boolean {
  if (!DENIED.includes(reason) || evidence.stage !== 'dns') return false;
  const parsed = parseAddress(email);
  return parsed.ok && !parsed.address.neverResolves;
}

/** The same address, as it is judged when the resolver is not believed. A pure function. */
export function withoutDenial({ email, checks, didYouMean, checkedAt }: Verification): Verification {
  return judge({
    email,
    parsed: parseAddress(email),
    flags: checks,
    mail: { kind: 'domain', outcome: 'dns_error', detail: UNTRUSTED, fromCache: false },
    provider: null,
    gateway: false,
    mxHost: null,
    didYouMean,
    checkedAt,
  });
}
