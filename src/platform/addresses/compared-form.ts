import { domainToASCII } from 'node:url';

const MAX_DOMAIN = 255;
/** Most addresses are this plain, and are compared as they are. */
const PLAIN = /^[a-z0-9._+-]+@[a-z0-9.-]+$/;

/** The form in which addresses are compared: lower case (NFC), the domain in A-labels. A text that has no two sides stands for itself. */
export function comparedForm(address: string): string {
  if (PLAIN.test(address)) return address;
  const text = address.trim().normalize('NFC').toLowerCase();
  const at = text.lastIndexOf('@');
  // A longer one is no domain (RFC 1035, section 2.3.4), and would cost its square.
  const domain = at < 1 || text.length - at > MAX_DOMAIN ? '' : domainToASCII(text.slice(at + 1));
  return domain === '' ? text : `${text.slice(0, at)}@${domain}`;
}
