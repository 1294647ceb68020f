import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import { readUrl } from '../lib/read-url.js';

/** More than any web address that a spreadsheet holds: the mapping of longer text to A-labels would take long. */
const MAX_CHARACTERS = 2_048;
const MAX_OCTETS = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads the mail domain that a caller means, in A-labels: the part after the `@` of an address, the registered domain of a web address,
 * else the text without `www.`. Null when it is no domain.
 */
export function mailDomainOf(text: string): string | null {
  if (text.length > MAX_CHARACTERS) return null;
  const given = text.trim();
  const isWeb = given.includes('/');
  const named = isWeb ? hostOf(given) : given.slice(given.lastIndexOf('@') + 1);
  const domain = domainToASCII(named.replace(/\.$/, '').toLowerCase()).replace(/^www\.(?=[^.]+\.)/, '');
  const { domain: registered, isIp } = parse(domain, { allowPrivateDomains: false });
  if (isIp || registered === null || domain.length > MAX_OCTETS) return null;
  if (!domain.split('.').every((label) => LABEL.test(label))) return null;
  return isWeb ? registered : domain;
}

function hostOf(text: string): string {
  const url = text.includes('://') ? text : `http://${text.replace(/^\/+/, '')}`;
  return readUrl(url)?.hostname ?? '';
}
