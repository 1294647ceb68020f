import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../platform/errors/app-error.js';
import { openForm } from '../../platform/http/caller-form.js';
import { gunzipped } from '../../platform/http/caller-stream.js';
import { readCsv } from './csv-reader.js';
import { type Bytes, type IntakeSettings, invalid, type Rows } from './intake-row.js';
import { readJson } from './json-reader.js';
import { readLines, readNdjson } from './line-reader.js';
import { decodeText, utf8Pieces } from './text-decoder.js';

/** A body as it came, with the headers that say how to read it. */
export interface SentBody {
  readonly stream: Bytes;
  readonly contentType: string;
  readonly contentEncoding: string;
}

/** Unpacked: a million addresses with 230 bytes of other columns each. More is no list. */
const MOST_BYTES = 268_435_456;
/** Lists of addresses are packed 3 to 20 times; what grows more than this, past the first megabytes, was made to. */
const MOST_RATIO = 100;
const LEAST_BOMB_BYTES = 8_388_608;
/** Eight thousand rows of one letter: 10 ms of work. */
const BYTES_OF_A_TURN = 16_384;

/** The rows of a body in whatever form it has. */
export async function* readBody(body: SentBody, settings: IntakeSettings): Rows {
  const { contentType } = body;
  const bytes = unpacked(body);
  if (mediaType(contentType).type !== 'multipart/form-data') return yield* readFile(bytes, contentType, '', settings);
  const file = await openFile(bytes, contentType, (name, value) => {
    takeSetting(settings, name, value);
    if (name === 'email_column') settings.emailColumn = value;
  });
  yield* readFile(file.bytes, file.contentType, file.name, settings);
}

/** What the fields of every form may say. */
export function takeSetting(settings: IntakeSettings, name: string, value: string): void {
  if (name === 'name') settings.name = value;
  if (name === 'webhook_url') settings.webhookUrl = value;
}

function readFile(bytes: Bytes, contentType: string, fileName: string, settings: IntakeSettings): Rows {
  const { type, charset } = mediaType(contentType);
  if (type === 'application/json') return readJson(utf8Pieces(bytes), settings);
  const text = decodeText(bytes, charset);
  if (type === 'application/x-ndjson' || type === 'application/jsonl' || fileName.endsWith('.ndjson'))
    return readNdjson(text);
  // Browsers call a CSV what the spreadsheet on that machine registered.
  if (type === 'text/csv' || type === 'application/csv' || fileName.endsWith('.csv')) return readCsv(text, settings);
  if (type === 'text/plain' || fileName.endsWith('.txt')) return readLines(text);
  throw new AppError('unsupported_media_type');
}

export function unpacked({ stream, contentEncoding }: SentBody): Bytes {
  if (contentEncoding === '' || contentEncoding === 'identity') return limited(stream);
  if (contentEncoding !== 'gzip') throw new AppError('unsupported_media_type');
  const gunzip = gunzipped(stream);
  return limited(gunzip, () => Math.max(LEAST_BOMB_BYTES, gunzip.bytesWritten * MOST_RATIO));
}

/**
 * Little by little, with a turn of the event loop after each: a body that comes as fast as it is read would let nobody else have one.
 * @param most bytes that may have come by now
 */
async function* limited(pieces: Bytes, most: () => number = () => MOST_BYTES): AsyncGenerator<Buffer> {
  let length = 0;
  try {
    for await (const piece of pieces) {
      length += piece.length;
      if (length > MOST_BYTES || length > most()) throw new AppError('body_too_large');
      for (let at = 0; at < piece.length; at += BYTES_OF_A_TURN) {
        yield piece.subarray(at, at + BYTES_OF_A_TURN);
        await nextTurn();
      }
    }
  } catch (error) {
    throw isZlibError(error) ? invalid('body', 'is not whole gzip') : error;
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && ((error as NodeJS.ErrnoException).code ?? '').startsWith('Z_');
}

interface OpenFile {
  readonly bytes: Bytes;
  readonly contentType: string;
  /** In lower case; empty when it has none. */
  readonly name: string;
}

/**
 * The one file of a form.
 * @param onField is called with each field before it
 */
export async function openFile(
  bytes: Bytes,
  contentType: string,
  onField: (name: string, value: string) => void,
): Promise<OpenFile> {
  const file = await openForm(bytes, contentType, onField);
  return { bytes: limited(file.pieces), contentType: file.contentType, name: file.name.toLowerCase() };
}

export function mediaType(contentType: string): { type: string; charset: string | null } {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(contentType)?.[1] ?? null;
  return { type: contentType.split(';', 1)[0]!.trim().toLowerCase(), charset };
}
