import {
  addressColumn,
  csvRecords,
  delimited,
  isAddressHeader,
  namedColumn,
  numberedNames,
} from '../../batch/formats/csv-records.js';

/** The own columns of a CSV that is verified. */
export interface CsvTable {
  readonly delimiter: string;
  readonly names: readonly string[];
  /** The rows that have been read and not yet been taken, in their order. */
  readonly rows: (readonly string[])[];
}

/**
 * Reads a CSV as the service does: the column of addresses is found by its header, or by an `@`.
 * @param wanted the column by its name, or by its number from 1
 * @throws AppError `invalid_input` for what is no CSV, or has no such column
 */
export async function readCsvTable(
  pieces: AsyncIterable<string>,
  wanted: string | null,
): Promise<{ readonly addresses: AsyncIterable<string>; readonly table: CsvTable }> {
  const divided = await delimited(withoutMark(pieces), null);
  const pages = csvRecords(divided)[Symbol.asyncIterator]();
  const { value: page } = await pages.next();
  const [first = [], ...others]: readonly (readonly string[])[] = page ?? [];
  const names = first.map((name) => name.trim());
  const hasHeader = !names.some((name) => name.includes('@')) && (names.length > 1 || isAddressHeader(names[0] ?? ''));
  const column =
    wanted === null ? addressColumn(names, hasHeader) : namedColumn(hasHeader ? names : [], wanted, 'email_column');
  const rows: (readonly string[])[] = [];
  async function* addresses(): AsyncGenerator<string, void, void> {
    for (const row of hasHeader ? others : [first, ...others]) yield taken(row);
    for await (const more of { [Symbol.asyncIterator]: () => pages }) for (const row of more) yield taken(row);
  }
  function taken(row: readonly string[]): string {
    rows.push(row);
    return (row[column] ?? '').trim();
  }
  const table = { delimiter: divided.delimiter, names: hasHeader ? first : numberedNames(names.map(() => '')), rows };
  return { addresses: addresses(), table };
}

async function* withoutMark(pieces: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let first = true;
  for await (const piece of pieces) {
    yield first ? piece.replace(/^\uFEFF/, '') : piece;
    first = false;
  }
}
