import { invalidField } from '../../platform/errors/app-error.js';
import type { Bytes } from './intake-row.js';

/** A file that is no text, by its first bytes. */
interface Signature {
  readonly name: string;
  /** What to send instead; left out: text. */
  readonly instead?: string;
  /** In hexadecimal; one of them. */
  readonly begins: readonly string[];
  /** What follows them, one character a byte; left out: anything. */
  readonly follows?: RegExp;
}

/** Reaches the name of an archive's first member and what stands behind it, and every signature. */
const START_BYTES = 512;

const SAVE_AS_CSV = 'Save the sheet as CSV and send the CSV file.';
const SEND_CONTENT = 'Send the file inside it.';
export const SEND_TEXT = 'Send a text file, such as CSV.';
const ZIP_MEMBER = '504b0304';

/** The first that fits is named. By the specifications of the formats, and by IANA's registry of media types where they have none. */
const SIGNATURES: readonly Signature[] = [
  {
    name: 'an Excel workbook (.xlsx) or another Office file',
    instead: SAVE_AS_CSV,
    begins: [ZIP_MEMBER],
    follows: /^.{26}(\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/|word\/|ppt\/)/s,
  },
  {
    name: 'an OpenDocument file (.ods)',
    instead: SAVE_AS_CSV,
    begins: [ZIP_MEMBER],
    follows: /^.{26}mimetype.{0,40}application\/vnd\.oasis\.opendocument/s,
  },
  {
    name: 'a Numbers document',
    instead: SAVE_AS_CSV,
    begins: [ZIP_MEMBER],
    follows: /^.{26}(Index\/|Index\.zip|Metadata\/|preview\.jpg)/s,
  },
  { name: 'a ZIP archive', instead: SEND_CONTENT, begins: [ZIP_MEMBER, '504b0506', '504b0708'] },
  { name: 'an old Office file (.xls, .doc)', instead: SAVE_AS_CSV, begins: ['d0cf11e0a1b11ae1'] },
  {
    name: 'gzip data',
    instead: 'Send it with Content-Encoding: gzip, or decompress it first.',
    begins: ['1f8b'],
  },
  { name: 'a bzip2 archive', instead: SEND_CONTENT, begins: ['425a68'], follows: /^[1-9]1AY&SY/ },
  { name: 'an xz archive', instead: SEND_CONTENT, begins: ['fd377a585a00'] },
  { name: 'a Zstandard archive', instead: SEND_CONTENT, begins: ['28b52ffd'] },
  { name: 'a 7z archive', instead: SEND_CONTENT, begins: ['377abcaf271c'] },
  { name: 'a RAR archive', instead: SEND_CONTENT, begins: ['526172211a07'] },
  { name: 'a PDF document', begins: ['255044462d'] },
  { name: 'an RTF document', begins: ['7b5c727466'] },
  { name: 'a PNG image', begins: ['89504e470d0a1a0a'] },
  { name: 'a JPEG image', begins: ['ffd8ff'] },
  { name: 'a GIF image', begins: ['47494638'], follows: /^[79]a/ },
  { name: 'a WebP image', begins: ['52494646'], follows: /^.{4}WEBP/s },
  { name: 'a TIFF image', begins: ['49492a00', '4d4d002a'] },
];

/**
 * The bytes of a body as they came, unless they begin as a file does that is no text.
 * Each of its lines would be a row, and be charged, where a charset knows every byte.
 * @throws AppError `invalid_input` saying what the body looks like
 */
export async function* refuseBinary(body: Bytes): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const piece of body) {
    if (start === null) {
      yield piece;
      continue;
    }
    start = start.length === 0 ? piece : Buffer.concat([start, piece]);
    if (start.length < START_BYTES) continue;
    yield checkStart(start);
    start = null;
  }
  if (start !== null && start.length > 0) yield checkStart(start);
}

function checkStart(start: Buffer): Buffer {
  const hex = start.toString('hex', 0, START_BYTES);
  const text = start.toString('latin1', 0, START_BYTES);
  const found = SIGNATURES.find(({ begins, follows }) =>
    begins.some((bytes) => hex.startsWith(bytes) && (follows?.test(text.slice(bytes.length / 2)) ?? true)),
  );
  if (found !== undefined)
    throw invalidField('body', `looks like ${found.name}, not text. ${found.instead ?? SEND_TEXT}`);
  return start;
}
