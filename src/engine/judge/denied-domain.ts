import { parseAddress } from '../syntax/address.js';
import { UNTRUSTED, type ByReason, type Evidence, type Verification } from '../types.js';
import { judge } from './judge.js';

/** Whether the DNS has denied a domain, its mail hosts or their addresses. */
const DENIED: ByReason<'invalid', boolean> = {
  invalid_syntax: false,
  domain_not_found: true,
  no_mail_server: true,
  null_mx: false,
  unroutable_mail_server: false,
  mailbox_not_found: false,
  mailbox_disabled: false,
  domain_not_served: false,
};

/** Whether nothing but the DNS resolver's word stands behind the verdict: a lie of it would make it false. */
export function restsOnDenial({ reason, evidence, email }: Verification): boolean {
  if (DENIED[reason] !== true || evidence.stage !== 'dns') return false;
  const parsed = parseAddress(email);
  return parsed.ok && !parsed.address.neverResolves;
}

/** Whether our own resolver is the cause: it gave answers that contradict what is known, and the domain was not asked. */
export function isUntrusted({ stage, text }: Pick<Evidence, 'stage' | 'text'>): boolean {
  return stage === 'dns' && text === UNTRUSTED;
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
