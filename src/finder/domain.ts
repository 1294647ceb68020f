import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

const MOST_OCTETS = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The mail domain that somebody means: of an address what stands behind its `@`, of a web address the domain that was registered, else
 * what was given without `www.`. In A-labels; null when it is no domain.
 */
export function mailDomainOf(text: string): string | null {
  const given = text.trim();
  const isWeb = given.includes('/');
  const named = isWeb ? hostOf(given) : given.slice(given.lastIndexOf('@') + 1);
  const domain = domainToASCII(named.replace(/\.$/, '').toLowerCase()).replace(/^www\.(?=[^.]+\.)/, '');
  const { domain: registered, isIp } = parse(domain, { allowPrivateDomains: false });
  if (isIp || registered === null || domain.length > MOST_OCTETS) return null;
  if (!domain.split('.').every((label) => LABEL.test(label))) return null;
  return isWeb ? registered : domain;
}

function hostOf(text: string): string {
  const url = text.includes('://') ? text : `http://${text.replace(/^\/+/, '')}`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}
