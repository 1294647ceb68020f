import { Readable } from 'node:stream';
import { StreamableFile, type ExecutionContext, Injectable } from '@nestjs/common';
import { csvCell } from '../csv-cell.js';
import { AroundInterceptor, type Rest } from './around.interceptor.js';

export const FILE_FORMATS = ['csv', 'ndjson'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
};
/** Characters that are collected before they are sent. */
const PIECE_CHARACTERS = 65_536;

interface TableFile {
  /** Without its ending. */
  readonly name: string;
  readonly format: FileFormat;
  /** Of a CSV, in their order. */
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<object>;
}

/** A file that is made while it is read: the next rows are asked for when the reader has room for them. */
export function tableFile({ name, format, columns, rows }: TableFile): StreamableFile {
  const lines = format === 'csv' ? csvLines(columns, rows) : jsonLines(rows);
  const disposition = `attachment; filename="${name}.${format}"`;
  return new StreamableFile(Readable.from(pieces(lines), { objectMode: false }), { type: TYPES[format], disposition });
}

/** The headers of a file, which is then never made; without a length, as the file itself is sent. */
function withoutRows(file: StreamableFile): StreamableFile {
  file.getStream().destroy();
  return new StreamableFile(Readable.from([]), file.options);
}

async function* jsonLines(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}

async function* csvLines(columns: readonly string[], rows: AsyncIterable<object>): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`;
  for await (const row of rows) {
    const cells = new Map<string, unknown>(Object.entries(row));
    yield `${columns.map((column) => csvCell(cells.get(column))).join(',')}\r\n`;
  }
}

async function* pieces(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}

/** HEAD of a file has its headers and makes none of its rows: the framework would read the whole file to throw it away. */
@Injectable()
export class HeadOfFileInterceptor extends AroundInterceptor {
  around(context: ExecutionContext, rest: Rest): Promise<unknown> {
    const { method } = context.getArgByIndex<{ readonly method: string }>(0);
    return method === 'HEAD' ? this.head(rest) : rest();
  }

  private async head(rest: Rest): Promise<unknown> {
    const result = await rest();
    return result instanceof StreamableFile ? withoutRows(result) : result;
  }
}
