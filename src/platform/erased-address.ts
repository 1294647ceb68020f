import { domainToASCII, domainToUnicode } from 'node:url';

const MAX_DOMAIN = 255;
/** Most addresses are this plain, and are compared as they are. */
const PLAIN_ADDRESS = /^[a-z0-9._+-]+@[a-z0-9.-]+$/;
/** Letters of which an address may go on before or behind the text of another one. */
const GOES_ON_BEFORE = /[\p{L}\p{N}._+-]$/u;
const GOES_ON_BEHIND = /^([\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u;
/** A sign as JSON or a URL writes it, at the end of a text: its letters are no letters of an address. */
const ESCAPED_BEFORE = /(?:\\u([0-9a-f]{4})|%([0-9a-f]{2})|\\[bfnrt])$/;
const MAX_ESCAPED = 6;
/** A local part that JSON and PostgreSQL's `lower` leave as it is. */
const PLAIN_LOCAL_PART = /^[!#-[\]-~]+$/;
/** RFC 5322 lets a comment stand before the `@`; nobody delivers to it, and people write it all the same. */
const COMMENT = /\([^()]{0,100}\)(?=@)/g;
/** What may stand behind a plain local part, as patterns of `LIKE`: JSON has a backslash before a quotation mark. */
const ENDS_OF_LOCAL_PART = ['@', '\\%40', ' @', '%"@', '(%)@'];

/** The form in which addresses are compared: lower case (NFC), the domain in A-labels. A text that has no two sides stands for itself. */
export function comparedForm(address: string): string {
  if (PLAIN_ADDRESS.test(address)) return address;
  const text = address.trim().normalize('NFC').toLowerCase();
  const at = text.lastIndexOf('@');
  // A longer one is no domain (RFC 1035, section 2.3.4), and would cost its square.
  const domain = at < 1 || text.length - at > MAX_DOMAIN ? '' : domainToASCII(text.slice(at + 1));
  return domain === '' ? text : `${text.slice(0, at)}@${domain}`;
}

/** Whose texts an address is erased from: an account in one of its modes, and the agents that it has claimed. */
export interface Holders {
  readonly accountIds: readonly string[];
  readonly simulated: boolean;
}

/** An address that is to be erased, and how it is recognised in whatever way it was written. */
export class ErasedAddress {
  /** As addresses are compared. */
  readonly compared: string;
  /** In lower case: with the domain in A-labels and in letters, as URLs write both, the local part in quotes, a space beside the `@`. */
  readonly spellings: readonly string[];

  constructor(address: string) {
    this.compared = comparedForm(address);
    const at = this.compared.lastIndexOf('@');
    const [local, domain] = [this.compared.slice(0, at), this.compared.slice(at + 1)];
    const domains = new Set([domain, domainToUnicode(domain) || domain]);
    const quoted = PLAIN_LOCAL_PART.test(local) ? [`"${local}"@`, `\\"${local}\\"@`] : [];
    const beginnings = [`${local}@`, `${local}%40`, `${local} @`, `${local}@ `, `${local} @ `, ...quoted];
    this.spellings = [...domains].flatMap((one) => beginnings.map((beginning) => beginning + one));
  }

  /**
   * Patterns of `LIKE`: a text in lower case that matches none of them does not hold the address. Of a local part that is not plain ASCII
   * the domain alone is looked for, with anything in the place of its letters beyond ASCII, and the caller looks for itself.
   */
  get patterns(): readonly string[] {
    const local = this.compared.slice(0, this.compared.lastIndexOf('@'));
    if (PLAIN_LOCAL_PART.test(local)) return ENDS_OF_LOCAL_PART.map((end) => `%${literal(local)}${end}%`);
    const ofDomain = this.spellings.map((spelling) => {
      const domain = literal(spelling.slice(local.length)).replaceAll(/[^ -~]+/g, '%');
      return `%${domain}%`;
    });
    return [...new Set(ofDomain)];
  }

  /** Whether it has a `+tag`, without which it is the address of another mailbox, or of the same. */
  get hasTag(): boolean {
    const tag = this.compared.indexOf('+', 1);
    return tag > 0 && tag < this.compared.lastIndexOf('@');
  }

  /** Whether the text is the address, however it is written. */
  is(text: string | null): boolean {
    return text !== null && comparedForm(text) === this.compared;
  }

  /** Whether the address stands somewhere in the text, and not as a part of a longer one. */
  isIn(text: string | null): boolean {
    if (text === null) return false;
    const folded = withoutComments(text.normalize('NFC').toLowerCase());
    return this.spellings.some((spelling) => {
      for (let at = folded.indexOf(spelling); at >= 0; at = folded.indexOf(spelling, at + 1)) {
        const before = unescapedEnd(folded.slice(Math.max(0, at - MAX_ESCAPED), at));
        const behind = folded.slice(at + spelling.length, at + spelling.length + 3);
        if (!GOES_ON_BEFORE.test(before) && !GOES_ON_BEHIND.test(behind)) return true;
      }
      return false;
    });
  }
}

/** The text, or the sign that its end stands for. */
function unescapedEnd(text: string): string {
  const escaped = ESCAPED_BEFORE.exec(text);
  if (escaped === null) return text;
  const code = Number.parseInt(escaped[1] ?? escaped[2] ?? '20', 16);
  // A byte beyond ASCII is a part of a letter.
  return escaped[2] !== undefined && code > 0x7f ? 'a' : String.fromCharCode(code);
}

function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
}

/** The text, and once more without comments where it has any: one of them may hold the address. */
function withoutComments(text: string): string {
  if (!text.includes(')@')) return text;
  return `${text}\n${text.replaceAll(COMMENT, '')}`;
}
