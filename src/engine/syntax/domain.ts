import { domainToASCII, domainToUnicode } from 'node:url';
import { Memo } from '../../lib/memo.js';
import type { SyntaxProblem } from '../types.js';
import { isIPv4, isIPv6 } from 'node:net';

export interface Domain {
  /** Lower-case A-labels, or an address literal with its brackets. */
  readonly text: string;
  /** The IP address of a literal, else null. */
  readonly literal: string | null;
  readonly neverResolves: boolean;
  /** True when the text is the input, unchanged. */
  readonly asGiven: boolean;
}

type Parsed = Omit<Domain, 'asGiven'>;

/** RFC 5321 section 4.5.3.1.2. */
const MAX_OCTETS = 255;

const HOST_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const LONG_LABEL = /[^.]{64}/;
const ASCII = /^[ -~]*$/;
const NOT_A_HOST_CHARACTER = /[^A-Za-z0-9.\-\u{80}-\u{10ffff}]/u;

/** Special-use names that the public DNS never answers for: RFC 6761, 6762 (.local), 7686 (.onion), 9476 (.alt). */
const NEVER_RESOLVING = new Set(['invalid', 'localhost', 'local', 'onion', 'alt']);

/** Digits are an IPv4 address without its brackets, or a mistake (RFC 3696 section 2); `0x` begins a number as well (URL standard, "ends in a number"). */
const NUMBER = /^(?:\d+|0x[\da-f]*)$/;

/** Lists repeat their domains. */
const MAX_REMEMBERED = 10_000;
const remembered = new Memo<string, Domain>(MAX_REMEMBERED);

/**
 * Parses the text after the last `@`: a host name in any script, or an address literal. Equal domains come back as the
 * same object, whose text is hashed once for all that is looked up by it.
 */
export function parseDomain(given: string): Domain | SyntaxProblem {
  const known = remembered.get(given);
  if (known !== undefined) return known;
  const parsed = parseUnknown(given);
  if (typeof parsed === 'string') return parsed;
  const { text, literal, neverResolves } = parsed;
  const domain = { text, literal, neverResolves, asGiven: text === given };
  return given.length > MAX_OCTETS ? domain : remembered.set(given, domain);
}

function parseUnknown(given: string): Parsed | SyntaxProblem {
  if (given === '') return 'domain_empty';
  if (given.startsWith('[')) {
    const literal = parseAddressLiteral(given);
    return literal
      ? { text: literal.text, literal: literal.address, neverResolves: false }
      : 'domain_literal_malformed';
  }
  const text = toHostName(given);
  if (text === null) return 'domain_malformed';
  if (text.length > MAX_OCTETS) return 'domain_too_long';
  if (!HOST_NAME.test(text)) return LONG_LABEL.test(text) ? 'domain_too_long' : 'domain_malformed';
  return judgeTopLevel(text);
}

/** Whether a top-level domain exists the DNS says: no list is as new as the root zone, and intranets have their own. */
function judgeTopLevel(text: string): Parsed | SyntaxProblem {
  const dot = text.lastIndexOf('.');
  const topLevel = text.slice(dot + 1);
  if (NEVER_RESOLVING.has(topLevel)) return { text, literal: null, neverResolves: true };
  if (dot < 0 || NUMBER.test(topLevel)) return 'domain_malformed';
  return { text, literal: null, neverResolves: false };
}

/** Lower-case ASCII, by UTS-46 non-transitional processing where that takes more than lower-casing; null when it fails. */
function toHostName(given: string): string | null {
  // Before UTS-46: Node's converter goes through its URL parser, which decodes %41 and stops at / ? # : and the like.
  if (NOT_A_HOST_CHARACTER.test(given)) return null;
  const lower = given.toLowerCase();
  if (ASCII.test(lower) && !lower.includes('xn--')) return lower;
  const text = domainToASCII(given);
  return text === '' || text.split('.').some(isFakeALabel) ? null : text;
}

/** Labels that IDNA2008 refuses and the converter lets pass: U-labels that are all ASCII, or hyphenated as no label may be (RFC 5891 section 4.2.3.1). */
function isFakeALabel(label: string): boolean {
  return label.startsWith('xn--') && (label.endsWith('-') || /^-|^..--|-$/u.test(domainToUnicode(label)));
}

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
