import { getDomain } from 'tldts';

/** The part of a domain that somebody has registered, below a public suffix of ICANN or of a hoster; the domain itself where there is none. */
export function registrable(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain;
}

/** The domain that a registry knows of, below a public suffix of ICANN; null: the name has none. */
export function registered(domain: string): string | null {
  return getDomain(domain, { allowPrivateDomains: false });
}
