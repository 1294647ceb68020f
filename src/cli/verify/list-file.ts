import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { UnreadableInput } from '../terminal/exit-codes.js';

/** What a list may be, by its ending, and what it is sent as. */
export const LIST_FORMATS = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  lines: 'text/plain',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
} as const;

export type ListFormat = keyof typeof LIST_FORMATS;

const ENDINGS: Readonly<Record<string, ListFormat>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.xlsx': 'xlsx',
  '.xlsm': 'xlsx',
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
 * @param path or `-` for standard input, which has lines unless `given` says otherwise
 * @throws UnreadableInput
 */
export async function openList(path: string, given: ListFormat | undefined): Promise<ListFile> {
  if (path === '-') return { bytes: null, format: given ?? 'lines', isGzip: false, open: () => process.stdin };
  const isGzip = extname(path) === '.gz';
  const ending = extname(isGzip ? path.slice(0, -'.gz'.length) : path).toLowerCase();
  const format = given ?? ENDINGS[ending];
  if (format === undefined)
    throw new UnreadableInput(
      `What "${path}" holds is not known by its ending: say --format ${Object.keys(LIST_FORMATS).join(', ')}.`,
    );
  try {
    const { size } = await stat(path);
    return { bytes: size, format, isGzip, open: () => readable(path) };
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
