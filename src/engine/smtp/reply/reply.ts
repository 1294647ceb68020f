import { isAscii } from 'node:buffer';

import type { SmtpReply } from '../../types.js';

/**
 * Bounds on a reply. RFC 5321 section 4.5.3.1.5 allows 512 octets a line; servers are seen to send up to 2 KiB
 * (policy texts with addresses in them), and no real reply needs more than 100 lines or 16 KiB.
 */
export const REPLY_BOUNDS = { lineBytes: 2048, lines: 100, replyBytes: 16_384 } as const;

/** The bytes are not a reply; nothing after them on this connection can be trusted. */
export interface ReplyProblem {
  readonly problem: 'line_too_long' | 'too_many_lines' | 'reply_too_long' | 'code_changed' | 'not_a_reply';
}

export type ReplyItem = SmtpReply | ReplyProblem;

const NOTHING: readonly ReplyItem[] = [];
const CR = 13;
const SPACE = 32;
const DASH = 45;
const DOT = 46;
// RFC 3463 section 2; not a piece of an IP address or of an identifier.
const PERMANENT_CODE = /(?<![\w.-])5\.\d{1,3}\.\d{1,3}(?![\w-]|\.\d)/;
const TRANSIENT_CODE = /(?<![\w.-])4\.\d{1,3}\.\d{1,3}(?![\w-]|\.\d)/;
const NO_CHARACTER_OF_UTF8 = /^[\p{ASCII}\ufffd]*$/u;
/** Latin-1 with the quotation marks that Windows added. */
const LATIN_1 = new TextDecoder('windows-1252');

/**
 * Reads SMTP replies (RFC 5321 section 4.2) from a byte stream cut anywhere. Give every chunk to `push`; it returns the
 * replies that are now whole, in order, often many for one chunk. The first problem is the last item ever returned.
 * Holds at most one reply's bounds in memory; text without a character of UTF-8 is read as Latin-1.
 */
export class ReplyReader {
  /** The bytes of an unfinished line, one character each. */
  #partial = '';
  #ended = false;
  #eightBit = false;
  /** The last reply of one line, with its LF: a server gives most recipients the same reply. */
  #lastLine = '\n';
  #lastReply: SmtpReply | null = null;
  // The multi-line reply under way; code 0 for none.
  #code = 0;
  #enhanced: string | null = null;
  #texts: string[] = [];
  #bytes = 0;

  push(chunk: Buffer): readonly ReplyItem[] {
    if (this.#ended) return NOTHING;
    if (!this.#eightBit && !isAscii(chunk)) this.#eightBit = true;
    // To cut one string is cheaper than to decode every line by itself.
    const data = this.#partial + chunk.toString('latin1');
    const items: ReplyItem[] = [];
    let start = 0;
    for (let end = data.indexOf('\n'); end !== -1; end = data.indexOf('\n', start)) {
      if (this.#lastReply !== null && this.#code === 0 && data.startsWith(this.#lastLine, start)) {
        items.push(this.#lastReply);
        start += this.#lastLine.length;
        continue;
      }
      const item = this.#readLine(data, start, end);
      start = end + 1;
      if (item === null) continue;
      items.push(item);
      if ('problem' in item) return this.#end(items);
    }
    this.#partial = data.slice(start);
    if (this.#partial.length > REPLY_BOUNDS.lineBytes) {
      items.push({ problem: 'line_too_long' });
      return this.#end(items);
    }
    return items;
  }

  #end(items: readonly ReplyItem[]): readonly ReplyItem[] {
    this.#ended = true;
    this.#partial = '';
    this.#texts = [];
    return items;
  }

  /** One line without its LF; null when the reply goes on. */
  #readLine(data: string, start: number, lf: number): ReplyItem | null {
    if (lf - start > REPLY_BOUNDS.lineBytes) return { problem: 'line_too_long' };
    const end = lf > start && data.charCodeAt(lf - 1) === CR ? lf - 1 : lf;
    const code = codeAt(data, start, end);
    const separator = end > start + 3 ? data.charCodeAt(start + 3) : SPACE;
    if (code === 0 || (separator !== SPACE && separator !== DASH)) return { problem: 'not_a_reply' };
    if (this.#code !== 0 && this.#code !== code) return { problem: 'code_changed' };

    const from = start + 4;
    const coded = this.#code === 0 || this.#enhanced !== null ? enhancedEnd(data, from, end) : -1;
    const enhanced = coded === -1 ? null : data.slice(from, coded);
    if (this.#code === 0) {
      if (separator === SPACE) {
        this.#lastLine = data.slice(start, lf + 1);
        return (this.#lastReply = this.#whole(code, enhanced, this.#text(data, coded === -1 ? from : coded, end)));
      }
      this.#code = code;
      this.#enhanced = enhanced;
    }
    // RFC 2034 section 4: every line repeats the code, in the middle of the sentence once lines are joined.
    const repeated = enhanced !== null && enhanced === this.#enhanced;
    this.#texts.push(this.#text(data, repeated ? coded : from, end));
    this.#bytes += lf + 1 - start;
    if (this.#bytes > REPLY_BOUNDS.replyBytes) return { problem: 'reply_too_long' };
    if (this.#texts.length > REPLY_BOUNDS.lines) return { problem: 'too_many_lines' };
    return separator === DASH ? null : this.#finish();
  }

  #finish(): SmtpReply {
    const reply = this.#whole(this.#code, this.#enhanced, this.#texts.join(' '));
    this.#code = 0;
    this.#texts = [];
    this.#bytes = 0;
    return reply;
  }

  #whole(code: number, enhanced: string | null, text: string): SmtpReply {
    if (code < 400 || enhanced !== null) return { code, enhanced, text };
    const found = (code < 500 ? TRANSIENT_CODE : PERMANENT_CODE).exec(text);
    return { code, enhanced: found === null ? null : found[0], text };
  }

  #text(data: string, from: number, to: number): string {
    if (from >= to) return '';
    const text = data.slice(from, to).trim();
    if (!this.#eightBit) return text;
    const bytes = Buffer.from(text, 'latin1');
    const decoded = bytes.toString();
    // Without one character of UTF-8 it is an older encoding, most often Latin-1; with some, one was cut off.
    return NO_CHARACTER_OF_UTF8.test(decoded) ? LATIN_1.decode(bytes) : decoded;
  }
}

/** 200–599 (no SMTP reply starts with 1), or 0. */
function codeAt(data: string, start: number, end: number): number {
  if (end < start + 3) return 0;
  const hundreds = data.charCodeAt(start) - 48;
  const tens = data.charCodeAt(start + 1) - 48;
  const ones = data.charCodeAt(start + 2) - 48;
  if (hundreds < 2 || hundreds > 5 || tens < 0 || tens > 9 || ones < 0 || ones > 9) return 0;
  return hundreds * 100 + tens * 10 + ones;
}

/** Where an enhanced code (RFC 2034) that starts at `from` and is a word of its own ends; -1 for none. */
function enhancedEnd(data: string, from: number, end: number): number {
  const first = data.charCodeAt(from);
  if ((first !== 50 && first !== 52 && first !== 53) || data.charCodeAt(from + 1) !== DOT) return -1;
  const subject = digitsEnd(data, from + 2);
  if (subject === from + 2 || data.charCodeAt(subject) !== DOT) return -1;
  const detail = digitsEnd(data, subject + 1);
  if (detail === subject + 1 || detail > end) return -1;
  return detail === end || data.charCodeAt(detail) === SPACE ? detail : -1;
}

/** The end of at most three digits. */
function digitsEnd(data: string, from: number): number {
  let at = from;
  while (at < from + 3 && data.charCodeAt(at) >= 48 && data.charCodeAt(at) <= 57) at += 1;
  return at;
}

/** The reply that a server's text is, such as `550 5.1.1 User unknown`; several lines as they come over the wire. @throws Error for another text */
export function replyOf(text: string): SmtpReply {
  const lines = text.split(/\r?\n/);
  const last = lines.pop()!;
  const wire = [...lines, last.replace(/^(\d{3})-/, '$1 ')].join('\r\n');
  const [item] = new ReplyReader().push(Buffer.from(`${wire}\r\n`));
  if (item === undefined || 'problem' in item) throw new Error(`not a reply: ${text}`);
  return item;
}
