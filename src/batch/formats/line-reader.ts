import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { checkLength, type IntakeRow, MAX_CHARACTERS, type Rows } from './sent-body.js';

const QUOTE = 0x22;
const COMMA = 0x2c;

export interface PlainRun {
  /** Start and end of each text, without its quotes and the spaces within them. */
  readonly bounds: readonly number[];
  /** Where something begins that is no whole plain text, or the end of the bytes. */
  readonly end: number;
  /** Token that must follow in the array; null when nothing was read. */
  readonly next: 'comma' | 'value' | null;
}

/**
 * Reads plain texts of a JSON array as far as they follow one another.
 * @param expectsComma whether the last thing before was a value
 */
export function scanPlain(bytes: Uint8Array, from: number, expectsComma: boolean): PlainRun {
  const bounds: number[] = [];
  let needsComma = expectsComma;
  let next: PlainRun['next'] = null;
  let at = spaceEnd(bytes, from);
  while (at < bytes.length) {
    if (needsComma) {
      if (bytes[at] !== COMMA) break;
      at = spaceEnd(bytes, at + 1);
      next = 'value';
    } else {
      if (bytes[at] !== QUOTE) break;
      const end = plainEnd(bytes, at + 1, bytes.length);
      if (bytes[end] !== QUOTE || end - at - 1 > MAX_CHARACTERS) break;
      addTrimmed(bounds, bytes, at + 1, end);
      at = spaceEnd(bytes, end + 1);
      next = 'comma';
    }
    needsComma = next === 'comma';
  }
  return { bounds, end: at, next };
}

/** Space, tab and line ends (RFC 8259, section 2). */
function spaceEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

function addTrimmed(bounds: number[], bytes: Uint8Array, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && bytes[start] === 0x20) start++;
  while (start < end && bytes[end - 1] === 0x20) end--;
  bounds.push(start, end);
}

/** Space to tilde without the quote and the backslash: what stands in JSON as it is, one byte a character. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= 0x20 && byte <= 0x7e && byte !== 0x22 && byte !== 0x5c),
);

/** Where the plain text that begins at `from` ends: at a byte that is not plain, or at `end`. */
export function plainEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && PLAIN[bytes[at]!] === 1) at++;
  return at;
}

/** Rows whose texts are plain, without spaces around them, as bounds in the bytes that came: a million make no million strings. */
export class PlainRows implements Iterable<IntakeRow> {
  /** @param bounds start and end of each */
  constructor(
    readonly bytes: Buffer,
    readonly bounds: readonly number[],
  ) {}

  get length(): number {
    return this.bounds.length / 2;
  }

  *[Symbol.iterator](): Generator<IntakeRow> {
    for (let i = 0; i < this.bounds.length; i += 2)
      yield { item: this.bytes.toString('latin1', this.bounds[i], this.bounds[i + 1]), extraColumns: null };
  }
}

/** A line of NDJSON may hold more than its address. */
const MAX_CHARACTERS_OF_A_LINE = 65_536;

/** Lines without their ends, blank ones left out, as many at a time as a piece of text holds. */
export async function* lines(text: AsyncIterable<string>): AsyncGenerator<{ line: string; number: number }[]> {
  let rest = '';
  let number = 0;
  const split = (pieces: string[]) =>
    pieces.flatMap((line) => (number++, line.trim() === '' ? [] : [{ line, number }]));
  for await (const piece of text) {
    // A carriage return at the end may be half of a line's end.
    const pieces = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = pieces.pop()!;
    if (rest.length > MAX_CHARACTERS_OF_A_LINE) throw tooLong(number + pieces.length + 1);
    const found = split(pieces);
    if (found.length > 0) yield found;
  }
  const last = split([rest]);
  if (last.length > 0) yield last;
}

/** One address a line. */
export async function* readLines(text: AsyncIterable<string>): Rows {
  for await (const found of lines(text))
    yield found.map(({ line, number }): IntakeRow => ({
      item: checkLength(line, `line ${number}`),
      extraColumns: null,
    }));
}

/** One JSON value a line: the address, or an object with it as `email`. */
export async function* readNdjson(text: AsyncIterable<string>): Rows {
  for await (const found of lines(text))
    yield found.map(({ line, number }): IntakeRow => {
      const value = parseLine(line, number);
      const email = typeof value === 'object' && value !== null ? (value as { email?: unknown }).email : value;
      if (typeof email !== 'string') throw invalidField(`line ${number}`, 'must be a string or an object with email');
      return { item: checkLength(email, `line ${number}`), extraColumns: null };
    });
}

/** @throws AppError `malformed_json` naming the line */
export function parseLine(line: string, number: number): unknown {
  if (line.length > MAX_CHARACTERS_OF_A_LINE) throw tooLong(number);
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new AppError('malformed_json', { message: `Line ${number} is not valid JSON.`, cause });
  }
}

function tooLong(number: number): AppError {
  return invalidField(`line ${number}`, 'is too long');
}
