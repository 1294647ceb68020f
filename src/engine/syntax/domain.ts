import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import type { SyntaxProblem } from '../types.js';

export interface Domain {
  /** Lower-case A-labels, or an address literal with its brackets. */
  readonly text: string;
  /** The IP address of a literal, else null. */
  readonly literal: string | null;
  readonly neverResolves: boolean;
  /** It was given like this. */
  readonly asGiven: boolean;
}

type Parsed = Omit<Domain, 'asGiven'>;

/** RFC 5321 section 4.5.3.1.2. */
const MAX_OCTETS = 255;

const HOST_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const LONG_LABEL = /[^.]{64}/;
const ASCII = /^[ -~]*$/;
const NOT_A_HOST_CHARACTER = /[^A-Za-z0-9.\-\u{80}-\u{10ffff}]/u;
const IPV6_TAG = /^IPv6:/i;

/** Special-use names that the public DNS never answers for: RFC 6761, 6762 (.local), 7686 (.onion), 9476 (.alt). */
const NEVER_RESOLVING = new Set(['invalid', 'localhost', 'local', 'onion', 'alt']);

/** Reserved, not delegated, yet served by intranets and test beds (RFC 6761; .internal by ICANN resolution): DNS decides. */
const PRIVATELY_SERVED = new Set(['test', 'example', 'internal']);

/** Domains remembered before all are forgotten: lists repeat their domains, a hostile caller must not fill the memory. */
const MOST_REMEMBERED = 10_000;
const remembered = new Map<string, Domain>();

/**
 * Parses what stands after the last `@`: a host name in any script, or an address literal. Equal domains come back as the
 * same object, whose text is hashed once for all that is looked up by it.
 */
export function parseDomain(given: string): Domain | SyntaxProblem {
  const known = remembered.get(given);
  if (known !== undefined) return known;
  const parsed = parseAnew(given);
  if (typeof parsed === 'string') return parsed;
  const { text, literal, neverResolves } = parsed;
  const domain = { text, literal, neverResolves, asGiven: text === given };
  if (given.length > MAX_OCTETS) return domain;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(given, domain);
  return domain;
}

function parseAnew(given: string): Parsed | SyntaxProblem {
  if (given === '') return 'domain_empty';
  if (given.startsWith('[')) return parseLiteral(given);
  const text = toHostName(given);
  if (text === null) return 'domain_malformed';
  if (text.length > MAX_OCTETS) return 'domain_too_long';
  if (!HOST_NAME.test(text)) return LONG_LABEL.test(text) ? 'domain_too_long' : 'domain_malformed';
  return judgeTopLevel(text);
}

function judgeTopLevel(text: string): Parsed | SyntaxProblem {
  const dot = text.lastIndexOf('.');
  const topLevel = text.slice(dot + 1);
  if (NEVER_RESOLVING.has(topLevel)) return { text, literal: null, neverResolves: true };
  // A last label of digits is an IPv4 address without its brackets, or a mistake (RFC 3696 section 2).
  if (dot < 0 || /^\d+$/.test(topLevel)) return 'domain_malformed';
  if (!PRIVATELY_SERVED.has(topLevel) && !isDelegated(topLevel)) return 'top_level_domain_unknown';
  return { text, literal: null, neverResolves: false };
}

/** Is it in ICANN's root, as of the Public Suffix List that `tldts` brings? */
export function isDelegated(topLevel: string): boolean {
  return parse(`x.${topLevel}`).isIcann === true;
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

/** What IDNA2008 refuses and the converter lets pass: U-labels that are all ASCII, or hyphenated as no label may be (RFC 5891 section 4.2.3.1). */
function isFakeALabel(label: string): boolean {
  return label.startsWith('xn--') && (label.endsWith('-') || /^-|^..--|-$/u.test(domainToUnicode(label)));
}

/** RFC 5321 section 4.1.3. The IPv6 form is compressed as the URL standard does (RFC 5952), so that equal addresses compare equal. */
function parseLiteral(given: string): Parsed | SyntaxProblem {
  const inner = given.endsWith(']') ? given.slice(1, -1) : '';
  if (isIPv4(inner)) return { text: given, literal: inner, neverResolves: false };
  const address = inner.replace(IPV6_TAG, '');
  if (address === inner || address.includes('%') || !isIPv6(address)) return 'domain_literal_malformed';
  const literal = new URL(`http://[${address}]`).hostname.slice(1, -1);
  return { text: `[IPv6:${literal}]`, literal, neverResolves: false };
}
