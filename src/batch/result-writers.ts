import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { ResultRow } from './batch-results.service.js';
import type { BatchKind } from './batch.lifecycle.js';
import type { ChunkResult } from './batch-results.js';
import { NOTHING_VERIFIED } from './found-results.js';

/** A row as the caller's shape tells it. */
export type PresentRow = (result: ChunkResult) => object;

export interface Download {
  readonly rows: AsyncIterable<readonly ResultRow[]>;
  readonly present: PresentRow;
  /** Names of the other columns that were sent. */
  readonly columns: readonly string[] | null;
  /** Tells the names of a row's members. */
  readonly sample: () => Promise<ChunkResult>;
}

/** One object a line. */
export async function* writeNdjson({ rows, present, columns }: Download): AsyncGenerator<string> {
  for await (const block of rows)
    if (block.length > 0) yield block.map((row) => `${JSON.stringify(presentRow(row, present, columns))}\n`).join('');
}

/** RFC 4180 with a header: the members of a row, those of nested objects as `outer.inner`, then the columns that were sent. */
export async function* writeCsv({ rows, present, columns, sample }: Download): AsyncGenerator<string> {
  yield line([...namesOf(present(await sample())), ...(columns ?? [])]);
  for await (const block of rows) {
    if (block.length === 0) continue;
    yield block.map(({ result, cells }) => line(valuesOf(present(result)).concat(cells ?? []))).join('');
  }
}

/** With the other columns, when some were sent. */
export function presentRow({ result, cells }: ResultRow, present: PresentRow, columns: Download['columns']): object {
  if (columns === null || cells === null) return present(result);
  return { ...present(result), columns: Object.fromEntries(columns.map((name, i) => [name, cells[i] ?? ''])) };
}

/** A stream that asks for the next block when the last one is on its way. */
export function toStream(text: AsyncGenerator<string>, gzip: boolean): Readable {
  const stream = Readable.from(text, { objectMode: false });
  if (!gzip) return stream;
  const packed = createGzip({ level: 1 });
  stream.once('error', (error) => packed.destroy(error));
  packed.once('close', () => stream.destroy());
  return stream.pipe(packed);
}

function namesOf(row: object): string[] {
  return Object.entries(row).flatMap(([name, value]: [string, unknown]) =>
    isNested(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  );
}

function valuesOf(row: object): unknown[] {
  const values: unknown[] = [];
  for (const value of Object.values(row) as unknown[]) {
    if (isNested(value)) for (const inner of Object.values(value) as unknown[]) values.push(addresses(inner));
    else values.push(addresses(value));
  }
  return values;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list within a row, as of alternatives, is told by its addresses. */
function addresses(value: unknown): unknown {
  return Array.isArray(value) ? value.map(({ email }: { email: string }) => email).join(' ') : value;
}

function line(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = neutral(typeof value === 'string' ? value : '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet runs a cell that begins with one of these; after an apostrophe it shows it (OWASP, CSV injection). */
function neutral(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** Tells the names of a row's members. */
const SAMPLE: ChunkResult = { offset: 0, verification: NOTHING_VERIFIED, creditsCharged: 0, latencyMs: 0 };

/** The same of a search. */
const FOUND_SAMPLE: ChunkResult = {
  ...SAMPLE,
  found: {
    domain: '',
    finding: {
      email: null,
      pattern: null,
      verdict: 'unknown',
      reason: 'name_unreadable',
      confidence: 0,
      verification: null,
      alternatives: [],
      tried: [],
      knownAddresses: 0,
      knownOfPattern: 0,
    },
  },
};

/** @param suppressed whether rows say if the address is suppressed */
export function sampleOf(kind: BatchKind, suppressed: boolean): ChunkResult {
  if (kind === 'find') return FOUND_SAMPLE;
  return suppressed ? { ...SAMPLE, suppressed: false } : SAMPLE;
}
