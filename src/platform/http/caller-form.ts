import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { AppError, invalidField } from '../errors/app-error.js';

const MAX_FIELD_BYTES = 4_096;
const MAX_FIELDS = 20;
/** Parts allowed beside the file and the fields; the reader skips parts that are neither. */
const MAX_PARTS = 100;
const MAX_PART_HEADERS = 20;
const MAX_PART_HEADER_BYTES = 16_384;

interface FormFile {
  readonly pieces: AsyncIterable<Buffer>;
  readonly contentType: string;
  /** Its name; empty when it has none. */
  readonly name: string;
}

/**
 * The one file of a caller's form (RFC 7578).
 * @param onField is called with each field before the file; what it throws refuses the form
 */
export function openForm(
  pieces: AsyncIterable<Buffer>,
  contentType: string,
  onField: (name: string, value: string) => void,
): Promise<FormFile> {
  return new Promise((resolve, reject) => {
    const parser = newParser(contentType);
    let failure = invalidField('body', 'is no whole form');
    // `on`, not `once`, because a form may have two faults.
    parser.on('error', () => reject(failure));
    const refuse = (error: Error): void => {
      if (error instanceof AppError) failure = error;
      parser.destroy(error);
    };
    parser.on('field', (name: string, value: string) => {
      try {
        onField(name, value);
      } catch (error) {
        refuse(error as Error);
      }
    });
    // What was left out in silence might be the most that a list may cost.
    parser.once('fieldsLimit', () => refuse(invalidField('body', `may have at most ${MAX_FIELDS} fields`)));
    parser.once('file', (_, file, name: string | undefined, __, type) => {
      // The parser emits errors on the file even when nobody reads it.
      file.on('error', () => undefined);
      parser.on('error', () => file.destroy(failure));
      resolve({ pieces: piecesOf(file, () => failure), contentType: type, name: name ?? '' });
    });
    parser.once('finish', () => reject(invalidField('file', 'is missing')));
    feed(pieces, parser).catch(refuse);
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
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        parts: MAX_PARTS,
        headerPairs: MAX_PART_HEADERS,
        headerSize: MAX_PART_HEADER_BYTES,
      },
    });
  } catch (cause) {
    throw new AppError('invalid_input', { message: 'The form has no boundary.', cause });
  }
}

async function feed(pieces: AsyncIterable<Buffer>, parser: BusboyInstance): Promise<void> {
  for await (const piece of pieces) {
    if (parser.destroyed) return;
    if (!parser.write(piece)) await drained(parser);
  }
  parser.end();
}

/** Leaves no listener behind: a slow reader makes a large file wait thousands of times. */
function drained(parser: BusboyInstance): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      parser.off('drain', end).off('close', end);
      resolve();
    };
    parser.on('drain', end).on('close', end);
  });
}
