import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Presenter } from '../../presenting/presenter.js';
import type { ResultRow } from './results.service.js';
import type { ChunkResult } from '../model/chunk-result.js';
import type { CsvLayout } from '../model/row-ref.js';
import { tableColumns, type TableRequest, isNested, type MemberPath, type OwnNames } from './table-columns.js';
import { isFormula } from '../../platform/csv-cell.js';

/** The types of files of results. */
export const RESULT_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
} as const;
/** What the routes of results answer with. */
export const RESULT_MEDIA_TYPES = [
  'application/json',
  ...Object.values(RESULT_TYPES).map((type) => type.split(';')[0]!),
];

const [LINE_FEED, RETURN, SPACE, QUOTE, TILDE] = [10, 13, 32, 34, 126];
/** Bytes that a letter may take: in UTF-8, or as a doubled quote. */
const MAX_BYTES_A_LETTER = 3;
/** Bytes that a cell may need beside its letters: a delimiter before it, quotes around it, an apostrophe. */
const MAX_BYTES_AROUND = 4;
/** The one size of all pieces, so that freed memory fits the next piece: with varying sizes downloads kept memory for good. */
const PIECE_BYTES = 65_536;

/** The rows of a table on their way to a socket, cell by cell. */
export interface TableBytes {
  /** @param value of a cell, which no spreadsheet runs; null and undefined leave it empty */
  cell(value: unknown): void;
  /** @param text of a cell, which its reader finds as it is */
  sentCell(text: string): void;
  /** Ends a row after its last cell. */
  endLine(): void;
  /** The full pieces; a row may begin in one and end in the next. The caller keeps them. */
  takeFull(): readonly Buffer[];
  /** The last piece, after the last row. */
  takeRest(): Buffer;
}

/**
 * Lines on their way to a socket. They are written as bytes at once, because long texts would be joined first and then wait for
 * V8's slow garbage collection. One loop tests and copies the letters of a CSV cell (RFC 4180), which is cheaper than testing,
 * joining and encoding it.
 */
export class LineBytes implements TableBytes {
  private bytes = Buffer.allocUnsafe(PIECE_BYTES);
  private full: Buffer[] = [];
  private length = 0;
  private isAtStart = true;
  private readonly delimiterByte: number;

  /** @param delimiter one character of ASCII */
  constructor(private readonly delimiter = ',') {
    this.delimiterByte = delimiter.charCodeAt(0);
  }

  cell(value: unknown): void {
    const text = textOf(value);
    this.sentCell(typeof value === 'string' && isFormula(text) ? `'${text}` : text);
  }

  /** A telephone number begins as a formula does. */
  sentCell(text: string): void {
    this.makeRoom(text.length * MAX_BYTES_A_LETTER + MAX_BYTES_AROUND);
    if (!this.isAtStart) this.bytes[this.length++] = this.delimiterByte;
    this.isAtStart = false;
    if (!this.writePlain(text)) this.writeQuoted(text);
  }

  /** The mark by which spreadsheets know UTF-8; before all else. */
  byteOrderMark(): void {
    this.length += this.bytes.write('\uFEFF', this.length);
  }

  endLine(): void {
    this.makeRoom(2);
    this.bytes[this.length++] = RETURN;
    this.bytes[this.length++] = LINE_FEED;
    this.isAtStart = true;
  }

  /** Writes a whole line and its end. */
  line(text: string): void {
    this.makeRoom(text.length * MAX_BYTES_A_LETTER);
    this.length += this.bytes.write(text, this.length);
  }

  takeFull(): readonly Buffer[] {
    const { full } = this;
    if (full.length > 0) this.full = [];
    return full;
  }

  takeRest(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /** Returns false and writes nothing when a letter of the text needs escaping or is not ASCII. */
  private writePlain(text: string): boolean {
    const { bytes, delimiterByte } = this;
    let at = this.length;
    for (let i = 0; i < text.length; i++) {
      const letter = text.charCodeAt(i);
      if (letter < SPACE || letter > TILDE || letter === QUOTE || letter === delimiterByte) return false;
      bytes[at++] = letter;
    }
    this.length = at;
    return true;
  }

  private writeQuoted(text: string): void {
    const quoted = /["\r\n]/.test(text) || text.includes(this.delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
    this.length += this.bytes.write(quoted, this.length);
  }

  private makeRoom(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    this.full.push(this.bytes.subarray(0, this.length));
    this.bytes = Buffer.allocUnsafe(Math.max(PIECE_BYTES, bytes));
    this.length = 0;
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

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

interface TableDownload extends Download {
  readonly bytes: TableBytes;
  readonly request: TableRequest;
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

/** A table with a header: result columns, then the customer's own; or the other way round, in his layout. */
export async function* writeTable({ bytes, rows, present, request, sample }: TableDownload): AsyncGenerator<Buffer> {
  const { layout, keepsOwn } = request;
  const { header, members, ownColumns } = tableColumns(request, present(await sample()));
  const writeOwn = (text: string): void => (keepsOwn ? bytes.sentCell(text) : bytes.cell(text));
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

function writeMembers(bytes: TableBytes, row: object, members: readonly MemberPath[]): void {
  for (const [outer, inner] of members) {
    const value: unknown = row[outer as never];
    bytes.cell(withoutLists(inner === undefined ? value : (value as object | undefined)?.[inner as never]));
  }
}

/** Writes each value at once: collecting them in an array first is slower for each row. */
function writeCells(bytes: TableBytes, row: object): void {
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
