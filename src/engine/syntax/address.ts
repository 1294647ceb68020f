import type { ParsedAddress, SyntaxProblem } from '../types.js';
import { parseDomain, type Domain } from './domain.js';
import { parseLocalPart, plainLocalPart, type LocalPart } from './local-part.js';
import { unwrap } from './unwrap.js';

/** UTF-16 units: room for a display name or a percent-encoded `mailto:` around 254 octets; longer input is not scanned. */
const MAX_INPUT = 2_048;

/** The longest path of RFC 5321 section 4.5.3.1.3 (256 octets) without its angle brackets. */
const MAX_OCTETS = 254;

const AT = 64;
const DOT = 46;
/** The characters of atoms (RFC 5321 section 4.1.2), by character code. */
const IN_ATOM = markAll("!#$%&'*+/=?^_`{|}~-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
const IN_DOMAIN = markAll('.-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');

/** Software that splits text by Unicode's rules takes line and paragraph separators for ends of line. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * Parses an address to deliver to: the mailbox of RFC 5321 section 4.1.2 with the UTF-8 of RFC 6531, without comments and folding.
 * White space around it, `mailto:` and `Name <addr>` are taken off first. Never throws; work is bounded for input of any length.
 */
export function parseAddress(input: string): ParsedAddress {
  if (input.length > MAX_INPUT) return refuse(input, 'too_long');
  const plain = plainAt(input);
  if (plain > 0) return parsePlain(input, plain);
  const text = input.trim();
  if (text === '') return refuse(text, 'empty');
  if (CONTROL.test(text)) return refuse(text, 'control_character');
  const given = unwrap(text);
  if (given === null) return refuse(text, 'local_part_malformed');
  if (given === '') return refuse(text, 'empty');
  if (CONTROL.test(given)) return refuse(text, 'control_character');
  const at = given.lastIndexOf('@');
  if (at < 0) return refuse(given, 'no_at_sign');
  const local = parseLocalPart(given.slice(0, at));
  if (typeof local === 'string') return refuse(given, local);
  const domain = parseDomain(given.slice(at + 1));
  if (typeof domain === 'string') return refuse(given, domain);
  const normalized = `${local.text}@${domain.text}`;
  const octets = local.ascii ? normalized.length : Buffer.byteLength(normalized);
  return octets > MAX_OCTETS ? refuse(given, 'too_long') : mailbox(given, local, domain, normalized);
}

/**
 * Where the `@` is in an address of atoms with dots between them and nothing to trim, unwrap or refuse, as nearly every
 * address is; else -1. By hand, because a regular expression is slower.
 */
function plainAt(text: string): number {
  let at = 0;
  let before = DOT;
  for (let code = text.charCodeAt(0); code !== AT; code = text.charCodeAt(++at)) {
    // Beyond the end it is not a number.
    if (code === DOT ? before === DOT : IN_ATOM[code] !== 1) return -1;
    before = code;
  }
  if (before === DOT || at === text.length - 1) return -1;
  for (let i = at + 1; i < text.length; i++) if (IN_DOMAIN[text.charCodeAt(i)] !== 1) return -1;
  return at;
}

function markAll(characters: string): Uint8Array {
  const marks = new Uint8Array(128);
  for (const character of characters) marks[character.charCodeAt(0)] = 1;
  return marks;
}

/** Most are in their normal form already, so no further string is made. */
function parsePlain(given: string, at: number): ParsedAddress {
  const local = plainLocalPart(given.slice(0, at));
  if (typeof local === 'string') return refuse(given, local);
  const domain = parseDomain(given.slice(at + 1));
  if (typeof domain === 'string') return refuse(given, domain);
  const normalized = domain.asGiven ? given : `${local.text}@${domain.text}`;
  return normalized.length > MAX_OCTETS ? refuse(given, 'too_long') : mailbox(given, local, domain, normalized);
}

function mailbox(given: string, local: LocalPart, domain: Domain, normalized: string): ParsedAddress {
  return {
    ok: true,
    address: {
      given,
      localPart: local.text,
      domain: domain.text,
      normalized,
      tag: local.quoted ? null : tagOf(local.text),
      needsSmtpUtf8: !local.ascii,
      literal: domain.literal,
      neverResolves: domain.neverResolves,
    },
  };
}

/** A `+` that leads (a telephone number) has no mailbox before it to be a tag of. */
function tagOf(localPart: string): string | null {
  const plus = localPart.indexOf('+');
  return plus > 0 && plus < localPart.length - 1 ? localPart.slice(plus + 1) : null;
}

function refuse(given: string, problem: SyntaxProblem): ParsedAddress {
  return { ok: false, given, problem };
}
