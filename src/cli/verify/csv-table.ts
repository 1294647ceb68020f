import { addressColumn, csvRecords, delimited, numberedNames, type Pages } from '../../batch/formats/csv-records.js';
import { workbookRecords } from '../../batch/formats/workbook-reader.js';

/** The own columns of a CSV that is verified. */
export interface CsvTable {
  readonly delimiter: string;
  readonly names: readonly string[];
  /** The rows that have been read and not yet been taken, in their order. */
  readonly rows: (readonly string[])[];
}

/** How the columns of a table are found; null: by its first hundred rows and by its header, as the service finds them. */
export interface TableSettings {
  /** The column of addresses by its name, or by its number from 1. */
  readonly emailColumn: string | null;
  /** Whether the first line has names. */
  readonly hasHeader: boolean | null;
  /** Of a workbook: the sheet by its name, or by its number from 1. */
  readonly sheet: string | null;
}

export interface ReadTable {
  readonly addresses: AsyncIterable<string>;
  readonly table: CsvTable;
}

/** @throws AppError `invalid_input` for what is no CSV, or has no such column */
export async function readCsvTable(pieces: AsyncIterable<string>, settings: TableSettings): Promise<ReadTable> {
  const divided = await delimited(withoutMark(pieces), null);
  return readTable(csvRecords(divided), divided.delimiter, settings);
}

/** @throws AppError `invalid_input` for what is no workbook, or has no such sheet or column; `body_too_large` */
export function readWorkbookTable(bytes: AsyncIterable<Buffer>, settings: TableSettings): Promise<ReadTable> {
  const alone = { nextSlice: () => Promise.resolve(), workbookPlace: () => Promise.resolve({ release: () => {} }) };
  return readTable(workbookRecords({ bytes, ...alone }, 'addresses', settings.sheet), ',', settings);
}

async function readTable(
  records: Pages,
  delimiter: string,
  { emailColumn, hasHeader: knownHeader }: TableSettings,
): Promise<ReadTable> {
  const pages = records[Symbol.asyncIterator]();
  const { value: page } = await pages.next();
  const sample = (page ?? []) as readonly (readonly string[])[];
  const { column, hasHeader, notes } = addressColumn(sample, emailColumn, knownHeader);
  const first = sample[notes] ?? [];
  const rows: (readonly string[])[] = [];
  async function* addresses(): AsyncGenerator<string, void, void> {
    for (const row of sample.slice(notes + (hasHeader ? 1 : 0))) yield taken(row);
    for await (const more of { [Symbol.asyncIterator]: () => pages }) for (const row of more) yield taken(row);
  }
  function taken(row: readonly string[]): string {
    rows.push(row);
    return (row[column] ?? '').trim();
  }
  const table = { delimiter, names: hasHeader ? first : numberedNames(first.map(() => '')), rows };
  return { addresses: addresses(), table };
}

async function* withoutMark(pieces: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let first = true;
  for await (const piece of pieces) {
    yield first ? piece.replace(/^\uFEFF/, '') : piece;
    first = false;
  }
}
