import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { AppError } from '../errors/app-error.js';

const MOST_FIELD_BYTES = 4_096;
const MOST_FIELDS = 10;
/** Beside the file and the fields: parts that are neither are passed over. */
const MOST_PARTS = 100;
const MOST_PART_HEADERS = 20;
const MOST_PART_HEADER_BYTES = 16_384;

export interface FormFile {
  readonly pieces: AsyncIterable<Buffer>;
  readonly contentType: string;
  /** Empty when it has none. */
  readonly name: string;
}

/**
 * The one file of a caller's form (RFC 7578).
 * @param onField is called with each field before the file
 */
export function openForm(
  pieces: AsyncIterable<Buffer>,
  contentType: string,
  onField: (name: string, value: string) => void,
): Promise<FormFile> {
  return new Promise((resolve, reject) => {
    const parser = newParser(contentType);
    let failure = refusal('body', 'is no whole form');
    // Not once: a form may be broken in two places.
    parser.on('error', () => reject(failure));
    parser.on('field', onField);
    parser.once('file', (_, file, name: string | undefined, __, type) => {
      // The parser tells the file of errors whether somebody reads it or not.
      file.on('error', () => undefined);
      parser.on('error', () => file.destroy(failure));
      resolve({ pieces: piecesOf(file, () => failure), contentType: type, name: name ?? '' });
    });
    parser.once('finish', () => reject(refusal('file', 'is missing')));
    feed(pieces, parser).catch((error: Error) => {
      if (error instanceof AppError) failure = error;
      parser.destroy(error);
    });
  });
}

async function* piecesOf(file: AsyncIterable<Buffer>, failure: () => AppError): AsyncGenerator<Buffer> {
  try {
    yield* file;
  } catch {
    throw failure();
  }
}

function newParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        files: 1,
        fields: MOST_FIELDS,
        fieldSize: MOST_FIELD_BYTES,
        parts: MOST_PARTS,
        headerPairs: MOST_PART_HEADERS,
        headerSize: MOST_PART_HEADER_BYTES,
      },
    });
  } catch (cause) {
    throw new AppError('invalid_input', { message: 'The form has no boundary.', cause });
  }
}

async function feed(pieces: AsyncIterable<Buffer>, parser: BusboyInstance): Promise<void> {
  for await (const piece of pieces)
    if (!parser.write(piece))
      await new Promise<void>((resolve) => parser.once('drain', resolve).once('close', resolve));
  parser.end();
}

function refusal(field: string, error: string): AppError {
  return new AppError('invalid_input', { fields: [{ field, error: `${field} ${error}` }] });
}
