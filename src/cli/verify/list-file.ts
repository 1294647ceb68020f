import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { UnreadableInput } from '../terminal/exit-codes.js';

/** What a list may be, and what it is sent as. */
export const LIST_FORMATS = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  lines: 'text/plain',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
} as const;

export type ListFormat = keyof typeof LIST_FORMATS;

/** Of texts; a name says nothing else. */
const ENDINGS: Readonly<Record<string, ListFormat>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.txt': 'lines',
  '.list': 'lines',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
};

export interface ListFile {
  /** Null for standard input, which comes once. */
  readonly bytes: number | null;
  readonly format: ListFormat;
  readonly isGzip: boolean;
  open(): AsyncIterable<Uint8Array>;
}

/**
 * @param path or `-` for standard input
 * @param given what the sender says that it is; else its bytes and, of a text, its ending tell it
 * @throws UnreadableInput
 */
export async function openList(path: string, given: ListFormat | undefined): Promise<ListFile> {
  const isInput = path === '-';
  const bytes = isInput ? null : await sizeOf(path);
  const pieces = (isInput ? process.stdin : readable(path))[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const start = await startOf(pieces);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const ending = extname(isGzip ? path.replace(/\.gz$/i, '') : path).toLowerCase();
  const format = given ?? formatOf(isGzip ? await unpacked(start) : start, ENDINGS[ending]);
  if (!isInput) {
    await pieces.return?.();
    return { bytes, format, isGzip, open: () => readable(path) };
  }
  async function* whole(): AsyncGenerator<Uint8Array, void, void> {
    yield start;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { bytes, format, isGzip, open: whole };
}

const MAX_START_BYTES = 65_536;

/** As much as tells what it is: a pipe may bring a byte at a time. */
async function startOf(pieces: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < MAX_START_BYTES) {
    const { done, value } = await pieces.next();
    if (done === true) break;
    start = Buffer.concat([start, value]);
  }
  return start;
}

/** What is in the beginning of a gzip, as far as it can be read. */
async function unpacked(start: Buffer): Promise<Buffer> {
  const source = new Blob([new Uint8Array(start)]).stream().pipeThrough(new DecompressionStream('gzip'));
  let read = Buffer.alloc(0);
  try {
    for await (const piece of source) {
      read = Buffer.concat([read, piece]);
      if (read.length >= MAX_START_BYTES) break;
    }
  } catch {
    // The beginning of a gzip is cut off somewhere, which is no fault of the file.
  }
  return read;
}

const ARCHIVE = 'PK\x03\x04';

/** @param named what its ending says of a text */
function formatOf(start: Buffer, named: ListFormat | undefined): ListFormat {
  const bytes = start.toString('latin1');
  if (bytes.startsWith(ARCHIVE)) return 'xlsx';
  if (named !== undefined) return named;
  // Without the zeros of UTF-16 and byte order marks.
  const lines = bytes
    .replaceAll('\0', '')
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  const first = lines[0]?.trim() ?? '';
  if (first.startsWith('{')) return isWholeRow(first) ? 'ndjson' : 'json';
  if (first.startsWith('[')) return 'json';
  return first.includes('@') && !lines.some((line) => /[,;\t|]/.test(line)) ? 'lines' : 'csv';
}

/** A line of NDJSON is whole by itself; the list of a JSON is not in its first line, or is all that there is. */
function isWholeRow(line: string): boolean {
  try {
    return !Object.hasOwn(JSON.parse(line) as object, 'emails');
  } catch {
    return false;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw unreadable(error);
  }
}

async function* readable(path: string): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(error: unknown): UnreadableInput {
  return new UnreadableInput(`The list cannot be read: ${(error as Error).message}`);
}
