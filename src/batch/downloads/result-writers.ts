import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Presenter } from '../../presenting/presenter.js';
import type { ResultRow } from '../results/results.service.js';
import type { ChunkResult } from '../results/result-codec.js';
import { resultNames } from '../results/column-names.js';
import { LineBytes } from './line-bytes.js';

/** Makes a result's body in the caller's shape. */
export type PresentResult = (result: ChunkResult) => object;

export function resultPresenter(presenter: Presenter, requestId: string): PresentResult {
  return (result) => presenter.row(result, requestId);
}

export interface Download {
  readonly rows: AsyncIterable<Iterable<ResultRow>>;
  readonly present: PresentResult;
  /** Distinct names of the extra columns that the caller sent. */
  readonly columns: readonly string[] | null;
  /** A result with all members, from which the header is made. */
  readonly sample: () => Promise<ChunkResult>;
}

/** One JSON object a line. */
export async function* writeNdjson({ rows, present, columns }: Download): AsyncGenerator<Buffer> {
  const bytes = new LineBytes();
  for await (const block of rows) {
    for (const row of block) bytes.line(`${JSON.stringify(presentRow(row, present, columns))}\n`);
    yield* bytes.takeFull();
  }
  yield bytes.takeRest();
}

/** CSV (RFC 4180) with a header: the members of a row, those of nested objects as `outer.inner`, then the extra columns. */
export async function* writeCsv({ rows, present, columns, sample }: Download): AsyncGenerator<Buffer> {
  const bytes = new LineBytes();
  const own = columns ?? [];
  for (const name of [...resultNames(namesOf(present(await sample())), own), ...own]) bytes.cell(name);
  bytes.endLine();
  for await (const block of rows) {
    for (const { result, extraColumns } of block) {
      writeCells(bytes, present(result));
      for (let i = 0; i < own.length; i++) bytes.cell(extraColumns?.[i] ?? '');
      bytes.endLine();
    }
    yield* bytes.takeFull();
  }
  yield bytes.takeRest();
}

/** A row's body with its extra columns, when the caller sent some. */
export function presentRow(
  { result, extraColumns }: ResultRow,
  present: PresentResult,
  columns: Download['columns'],
): object {
  if (columns === null || extraColumns === null) return present(result);
  return Object.assign(present(result), {
    columns: Object.fromEntries(columns.map((name, i) => [name, extraColumns[i] ?? ''])),
  });
}

/** A stream that asks for the next block once the reader has room for it. */
export function toStream(pieces: AsyncGenerator<Buffer>, gzip: boolean): Readable {
  const stream = Readable.from(pieces, { objectMode: false });
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

/** Writes each value at once: collecting them in an array first is slower for each row. */
function writeCells(bytes: LineBytes, row: object): void {
  for (const name in row) {
    const value: unknown = row[name as never];
    if (!isNested(value)) bytes.cell(withoutLists(value));
    else for (const inner in value) bytes.cell(withoutLists(value[inner as never]));
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list within a row, such as `alternatives`, is written as its addresses. */
function withoutLists(value: unknown): unknown {
  return Array.isArray(value) ? value.map(({ email }: { email: string }) => email).join(' ') : value;
}
