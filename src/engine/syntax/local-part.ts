import type { SyntaxProblem } from '../types.js';

export interface LocalPart {
  /** The local part as it is sent: NFC, quoted only where the grammar needs it. */
  readonly text: string;
  readonly quoted: boolean;
  readonly ascii: boolean;
}

/** RFC 5321 section 4.5.3.1.1, in octets as they go on the wire. */
const MAX_OCTETS = 64;

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
  return octets > MAX_OCTETS ? 'local_part_too_long' : part;
}
