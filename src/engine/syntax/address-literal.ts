import { isIPv4, isIPv6 } from 'node:net';

export interface AddressLiteral {
  /** With its brackets, in one form for equal addresses. */
  readonly text: string;
  readonly address: string;
}

const IPV6_TAG = /^IPv6:/i;
const SNUMS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** RFC 5321 section 4.1.3 lets `::` stand for no fewer than two of the eight groups. */
const MAX_GROUPS_BESIDE_GAP = 6;

/** Parses an address literal (RFC 5321 section 4.1.3); null for what is none, and for tags other than `IPv6:`, which name no host. */
export function parseAddressLiteral(given: string): AddressLiteral | null {
  const inner = given.endsWith(']') ? given.slice(1, -1) : '';
  if (!IPV6_TAG.test(inner)) {
    const address = parseIpv4(inner);
    return address === null ? null : { text: `[${address}]`, address };
  }
  const address = parseIpv6(inner.replace(IPV6_TAG, ''));
  return address === null ? null : { text: `[IPv6:${address}]`, address };
}

/** A Snum is decimal and may have leading zeros. They are taken off, because other software reads them as octal. */
function parseIpv4(text: string): string | null {
  const plain = SNUMS.test(text) ? text.split('.').map(Number).join('.') : '';
  return isIPv4(plain) ? plain : null;
}

/** Written as the URL standard does (RFC 5952). */
function parseIpv6(text: string): string | null {
  const end = text.lastIndexOf(':') + 1;
  const last = text.slice(end);
  const endsInIpv4 = last.includes('.');
  const tail = endsInIpv4 ? parseIpv4(last) : last;
  if (tail === null) return null;
  const address = text.slice(0, end) + tail;
  if (!isIPv6(address) || address.includes('%')) return null;
  const groups = address.split(':').filter((group) => group !== '').length + (endsInIpv4 ? 1 : 0);
  if (address.includes('::') && groups > MAX_GROUPS_BESIDE_GAP) return null;
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
