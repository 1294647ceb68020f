import { addressColumn, csvRecords, delimited, numberedNames } from '../../batch/formats/csv-records.js';

/** The own columns of a CSV that is verified. */
export interface CsvTable {
  readonly delimiter: string;
  readonly names: readonly string[];
  /** The rows that have been read and not yet been taken, in their order. */
  readonly rows: (readonly string[])[];
}

/**
 * Reads a CSV as the service does: the column of addresses is found by its first hundred rows and by its header.
 * @param wanted the column by its name, or by its number from 1
 * @param knownHeader whether its first line has names; null: what its rows tell
 * @throws AppError `invalid_input` for what is no CSV, or has no such column
 */
export async function readCsvTable(
  pieces: AsyncIterable<string>,
  wanted: string | null,
  knownHeader: boolean | null,
): Promise<{ readonly addresses: AsyncIterable<string>; readonly table: CsvTable }> {
  const divided = await delimited(withoutMark(pieces), null);
  const pages = csvRecords(divided)[Symbol.asyncIterator]();
  const { value: page } = await pages.next();
  const sample: readonly (readonly string[])[] = page ?? [];
  const { column, hasHeader, notes } = addressColumn(sample, wanted, knownHeader);
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
  const table = { delimiter: divided.delimiter, names: hasHeader ? first : numberedNames(first.map(() => '')), rows };
  return { addresses: addresses(), table };
}

async function* withoutMark(pieces: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let first = true;
  for await (const piece of pieces) {
    yield first ? piece.replace(/^\uFEFF/, '') : piece;
    first = false;
  }
}
