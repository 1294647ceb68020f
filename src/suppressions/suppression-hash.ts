import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';

const MAX_DOMAIN = 255;

/**
 * SHA-256 of an address in the form in which addresses are compared: lower case (NFC), without its `+tag`, the domain in
 * A-labels. Null when it has no two sides.
 */
export function addressHash(address: string): Buffer | null {
  const text = address.trim().normalize('NFC').toLowerCase();
  const at = text.lastIndexOf('@');
  // A longer one is no domain (RFC 1035, section 2.3.4), and would cost its square.
  const domain = text.length - at > MAX_DOMAIN ? '' : domainToASCII(text.slice(at + 1));
  const localPart = withoutTag(text.slice(0, Math.max(0, at)));
  if (localPart === '' || domain === '' || /\s/.test(domain)) return null;
  return createHash('sha256').update(`${localPart}@${domain}`).digest();
}

/** A regular expression would cost the square of the signs. */
function withoutTag(localPart: string): string {
  const tag = localPart.indexOf('+', 1);
  return tag < 0 ? localPart : localPart.slice(0, tag);
}
