import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';

/**
 * SHA-256 of an address as it is compared: lower case (NFC), without its `+tag`, the domain in A-labels. Null when it has no two
 * sides.
 */
export function addressHash(address: string): Buffer | null {
  const text = address.trim().normalize('NFC').toLowerCase();
  const at = text.lastIndexOf('@');
  const domain = domainToASCII(text.slice(at + 1));
  const localPart = text.slice(0, Math.max(0, at)).replace(/(?<=.)\+.*$/, '');
  if (localPart === '' || domain === '' || /\s/.test(domain)) return null;
  return createHash('sha256').update(`${localPart}@${domain}`).digest();
}
