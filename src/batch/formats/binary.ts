import { listOf, matching, object, optional, passing, text } from '../../lib/checked-json.js';
import { readRows } from '../../platform/config/config-file.js';
import { invalidField } from '../../platform/errors/app-error.js';
import type { Bytes } from './sent-body.js';

/** Reaches the name of an archive's first member and what stands behind it, and every signature. */
const START_BYTES = 512;

export const SEND_TEXT = 'Send a text file, such as CSV.';

/** A file that is no text, by its first bytes in hexadecimal, and by what follows them, one character a byte. */
function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 's') instanceof RegExp;
  } catch {
    return false;
  }
}

const SIGNATURE_ROW = object({
  instead: optional(text, SEND_TEXT),
  begins: listOf(matching(/^([0-9a-f]{2})+$/, 'bytes in hexadecimal'), 'a list of beginnings', 1),
  follows: optional(passing<string>(isPattern, 'a regular expression'), ''),
});

/** The first that fits is named. By the specifications of the formats, and by IANA's registry of media types where they have none. */
const SIGNATURES = [...readRows('file-signatures.json', SIGNATURE_ROW)].map(([name, { instead, begins, follows }]) => ({
  name,
  instead,
  begins,
  follows: new RegExp(`^(?:${follows})`, 's'),
}));

/**
 * The bytes of a body as they came, unless they begin as a file does that is no text.
 * Each of its lines would be a row, and be charged, where a charset knows every byte.
 * @param wanted the file that it should be, by its name in `file-signatures.json`
 * @throws AppError `invalid_input` saying what the body looks like
 */
export async function* refuseBinary(body: Bytes, wanted: string | null = null): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const piece of body) {
    if (start === null) {
      yield piece;
      continue;
    }
    start = start.length === 0 ? piece : Buffer.concat([start, piece]);
    if (start.length < START_BYTES) continue;
    yield checkStart(start, wanted);
    start = null;
  }
  if (start !== null && start.length > 0) yield checkStart(start, wanted);
}

function checkStart(start: Buffer, wanted: string | null): Buffer {
  const hex = start.toString('hex', 0, START_BYTES);
  const text = start.toString('latin1', 0, START_BYTES);
  const found = SIGNATURES.find(({ begins, follows }) =>
    begins.some((bytes) => hex.startsWith(bytes) && follows.test(text.slice(bytes.length / 2))),
  );
  if (found !== undefined && found.name !== wanted)
    throw invalidField('body', `looks like ${found.name}, not text. ${found.instead}`);
  return start;
}
