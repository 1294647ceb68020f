import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { checkLength, type IntakeRow, type Rows } from './intake-row.js';

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
