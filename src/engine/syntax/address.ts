import type { ParsedAddress, SyntaxProblem } from '../types.js';
import { parseDomain, type Domain } from './domain.js';

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

/** Short enough that no part of it is too long, and of letters, digits and single marks between them. */
const PLAIN_ADDRESS = /^[a-z0-9]+(?:[._+-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$/;
const MAX_PLAIN = 64;

/** Whether a text is an address at a glance, as nearly every one is: whoever only counts the others parses few. */
export function isPlainAddress(text: string): boolean {
  return text.length <= MAX_PLAIN && PLAIN_ADDRESS.test(text);
}

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

/**
 * Takes an address out of what people paste: `<addr>`, `Name <addr>`, `mailto:addr?query` (RFC 6068), each in the other at most once.
 * Returns null for a `mailto:` whose percent-encoding does not decode.
 */
export function unwrap(text: string): string | null {
  const inner = text.endsWith('>') ? insideAngles(text) : text;
  return /^mailto:/i.test(inner) ? fromMailto(inner) : inner;
}

function insideAngles(text: string): string {
  const open = openingAngle(text);
  return open < 0 ? text : text.slice(open + 1, -1).trim();
}

/** The first `<` outside a quoted display name: a quoted local part may hold one as well. */
function openingAngle(text: string): number {
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') quoted = !quoted;
    else if (character === '\\' && quoted) i++;
    else if (character === '<' && !quoted) return i;
  }
  return -1;
}

function fromMailto(text: string): string | null {
  const encoded = text.slice('mailto:'.length).split('?', 1)[0] ?? '';
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

export interface LocalPart {
  /** The local part as it is sent: NFC, quoted only where the grammar needs it. */
  readonly text: string;
  readonly quoted: boolean;
  readonly ascii: boolean;
}

/** RFC 5321 section 4.5.3.1.1, in octets as they go on the wire. */
const MAX_LOCAL_PART_OCTETS = 64;

const PLAIN_ATOMS = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const ATOMS = /^[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+)*$/u;

/** `"`, then qtextSMTP or quoted-pairSMTP (RFC 5321 section 4.1.2, RFC 6531 section 3.3), then `"`. */
const QUOTED_STRING = /^"((?:[ !#-[\]-~\u{80}-\u{10ffff}]|\\[ -~])*)"$/u;

/**
 * RFC 6531 admits every character above U+007F. These are in no name that a person types: invisible, unpaired,
 * private or unassigned ones (whose NFC form may yet change) and spaces. Joiners shape Indic and Persian names and emoji.
 */
const UNUSABLE = /(?![ \u200c\u200d])[\p{C}\p{Z}]|(?<![^ -~])[\u200c\u200d]/u;

/** A dot-string of ASCII atoms, which nearly every local part is. */
export function plainLocalPart(text: string): LocalPart | SyntaxProblem {
  return within({ text, quoted: false, ascii: true });
}

/** Parses the text before the last `@`: a dot-string or a quoted string. The caller refuses control characters. */
export function parseLocalPart(given: string): LocalPart | SyntaxProblem {
  if (given === '') return 'local_part_empty';
  if (PLAIN_ATOMS.test(given)) return plainLocalPart(given);
  const content = given.startsWith('"') ? unquote(given) : given;
  if (content === null) return 'local_part_malformed';
  // Composed before it is judged: NFC turns a few characters into ASCII ones, such as U+037E into a semicolon.
  const composed = content.normalize('NFC');
  if (UNUSABLE.test(composed)) return 'local_part_malformed';
  const ascii = !/[^ -~]/.test(composed);
  if (ATOMS.test(composed)) return within({ text: composed, quoted: false, ascii });
  if (content === given) return 'local_part_malformed';
  return within({ text: `"${composed.replace(/["\\]/g, '\\$&')}"`, quoted: true, ascii });
}

function unquote(given: string): string | null {
  const content = QUOTED_STRING.exec(given)?.[1];
  return content === undefined ? null : content.replace(/\\(.)/g, '$1');
}

function within(part: LocalPart): LocalPart | SyntaxProblem {
  const octets = part.ascii ? part.text.length : Buffer.byteLength(part.text);
  return octets > MAX_LOCAL_PART_OCTETS ? 'local_part_too_long' : part;
}
