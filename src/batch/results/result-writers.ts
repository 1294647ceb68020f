import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Presenter } from '../../presenting/presenter.js';
import type { ResultRow } from './results.service.js';
import type { ChunkResult } from '../model/chunk-result.js';
import type { CsvLayout } from '../model/row-ref.js';
import { csvColumns, type CsvRequest, isNested, type MemberPath, type OwnNames } from './csv-columns.js';
import { LineBytes } from './line-bytes.js';

/** Makes a result's body in the caller's shape. */
export type PresentResult = (result: ChunkResult) => object;

export function resultPresenter(presenter: Presenter, requestId: string): PresentResult {
  return (result) => presenter.row(result, requestId);
}

export function cellPresenter(presenter: Presenter, requestId: string): PresentResult {
  return (result) => presenter.cells(result, requestId);
}

interface Download {
  readonly rows: AsyncIterable<Iterable<ResultRow>>;
  readonly present: PresentResult;
}

interface NdjsonDownload extends Download {
  readonly columns: OwnNames['columns'];
}

interface CsvDownload extends Download {
  readonly request: CsvRequest;
  /** A result with all members, from which the header is made. */
  readonly sample: () => Promise<ChunkResult>;
}

/** One JSON object a line. */
export async function* writeNdjson({ rows, present, columns }: NdjsonDownload): AsyncGenerator<Buffer> {
  const bytes = new LineBytes();
  for await (const block of rows) {
    for (const row of block) bytes.line(`${JSON.stringify(presentRow(row, present, columns))}\n`);
    yield* bytes.takeFull();
  }
  yield bytes.takeRest();
}

/** CSV (RFC 4180) with a header: result columns, then the customer's own; or the other way round, in his layout. */
export async function* writeCsv({ rows, present, request, sample }: CsvDownload): AsyncGenerator<Buffer> {
  const { layout, bom, keepsOwn } = request;
  const { header, members, ownColumns } = csvColumns(request, present(await sample()));
  const bytes = new LineBytes(layout?.delimiter);
  const writeOwn = (text: string): void => (keepsOwn ? bytes.sentCell(text) : bytes.cell(text));
  if (bom) bytes.byteOrderMark();
  // Names of result columns begin with a letter.
  for (const name of header) writeOwn(name);
  bytes.endLine();
  for await (const block of rows) {
    for (const row of block) {
      if (layout !== null) writeOwnLayout(writeOwn, row, layout, ownColumns);
      if (members === null) writeCells(bytes, present(row.result));
      else writeMembers(bytes, present(row.result), members);
      if (layout === null) for (let i = 0; i < ownColumns; i++) writeOwn(row.extraColumns?.[i] ?? '');
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
  columns: OwnNames['columns'],
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

/** The columns as they were sent, the address where it was. */
function writeOwnLayout(
  writeOwn: (text: string) => void,
  { result, extraColumns }: ResultRow,
  { column }: CsvLayout,
  columns: number,
): void {
  for (let i = 0, other = 0; i < columns; i++)
    writeOwn(i === column ? result.verification.email : (extraColumns?.[other++] ?? ''));
}

function writeMembers(bytes: LineBytes, row: object, members: readonly MemberPath[]): void {
  for (const [outer, inner] of members) {
    const value: unknown = row[outer as never];
    bytes.cell(withoutLists(inner === undefined ? value : (value as object | undefined)?.[inner as never]));
  }
}

/** Writes each value at once: collecting them in an array first is slower for each row. */
function writeCells(bytes: LineBytes, row: object): void {
  for (const name in row) {
    const value: unknown = row[name as never];
    if (!isNested(value)) bytes.cell(withoutLists(value));
    else for (const inner in value) bytes.cell(withoutLists(value[inner as never]));
  }
}

/** A list within a row, such as `alternatives`, is written as its addresses. */
function withoutLists(value: unknown): unknown {
  return Array.isArray(value) ? value.map(({ email }: { email: string }) => email).join(' ') : value;
}
