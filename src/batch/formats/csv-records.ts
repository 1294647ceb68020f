import { CsvError, parse } from 'csv-parse';
import { type AddressColumn, findAddressColumn, SAMPLE_ROWS } from '../../lib/address-column.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { through } from '../../platform/http/caller-stream.js';
import { type ColumnSetting, type DelimiterName, delimiterOf, DELIMITERS, MAX_HEADER_CHARACTERS } from './sent-body.js';

const MAX_CHARACTERS_OF_A_RECORD = 65_536;
/** A record may have 64 KB. */
const RECORDS_PAGE_SIZE = SAMPLE_ROWS;
/** What an error shows of the columns that a file has. */
const MAX_SHOWN_COLUMNS = 20;
const MAX_SHOWN_CHARACTERS = 60;

/** Records of a table, some at a time: the first piece tells which column is which. */
export type Pages = AsyncIterable<readonly (readonly string[])[]>;

/** The text of a CSV, and what divides its columns. */
interface DelimitedText {
  readonly delimiter: string;
  /** All of it, the first line included. */
  readonly all: AsyncIterable<string>;
}

/**
 * Reads RFC 4180 and what spreadsheets make of it in pages: whoever reads may stop between two.
 * @throws AppError `invalid_input` for what is no CSV
 */
export async function* csvRecords({ delimiter, all }: DelimitedText): AsyncGenerator<readonly (readonly string[])[]> {
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_CHARACTERS_OF_A_RECORD,
  });
  let records: string[][] = [];
  try {
    for await (const record of through(all, parser) as AsyncIterable<string[]>) {
      records.push(record);
      if (records.length < RECORDS_PAGE_SIZE) continue;
      yield records;
      records = [];
    }
  } catch (error) {
    // Whoever only looks at the first rows has them.
    if (records.length > 0) yield records;
    throw error instanceof CsvError ? invalidField('body', `is no CSV: ${error.message}`) : error;
  }
  if (records.length > 0) yield records;
}

/**
 * The column that a caller names: by its name, or by its number from 1.
 * @throws AppError `invalid_input` naming the setting
 */
export function namedColumn(names: readonly string[], wanted: string, setting: ColumnSetting): number {
  const name = wanted.trim().toLowerCase();
  const found = name === '' ? -1 : names.findIndex((one) => one.toLowerCase() === name);
  if (found >= 0) return found;
  const number = /^\d{1,4}$/.test(wanted) ? Number(wanted) : 0;
  if (number >= 1 && number <= names.length) return number - 1;
  throw invalidField(setting, `names no column of the file, which has ${shownNames(names)}`);
}

/** The columns that a caller may have meant. They are the file's: so they are shortened, and what cannot be printed is left out. */
export function shownNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_SHOWN_COLUMNS).map(shownName);
  const more = names.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function shownName(name: string, column: number): string {
  const printable = name.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '').slice(0, MAX_SHOWN_CHARACTERS);
  return printable.trim() === '' ? `${column + 1} (without a name)` : JSON.stringify(printable);
}

/** Names as they stand in the file; a column that the header leaves blank, or a file without a header, has its number for a name. */
export function numberedNames(names: readonly string[]): readonly string[] {
  return names.map((name, i) => (name.trim() === '' ? `column_${i + 1}` : name));
}

/** Reads the first line, unless the caller has said what divides the columns. */
export async function delimited(text: AsyncIterable<string>, given: DelimiterName | null): Promise<DelimitedText> {
  if (given !== null) return { delimiter: DELIMITERS[given], all: text };
  const pieces = text[Symbol.asyncIterator]();
  let start = '';
  while (!/[\r\n]/.test(start) && start.length < MAX_HEADER_CHARACTERS) {
    const { done, value } = await pieces.next();
    if (done) break;
    start += value;
  }
  async function* all(): AsyncGenerator<string> {
    yield start;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { delimiter: delimiterOf(start), all: all() };
}

/**
 * The column of addresses of a CSV, and whether its first record has names.
 * @param sample its first records
 * @param wanted the column by its name, or by its number from 1; null: nobody has named one
 * @param knownHeader whether the caller says that the first record has names; null: he does not say it
 * @throws AppError `invalid_input` when nothing tells it, or when several columns may be meant, with an address of each
 */
export function addressColumn(
  sample: readonly (readonly string[])[],
  wanted: string | null,
  knownHeader: boolean | null,
): AddressColumn {
  const found = findAddressColumn(sample, knownHeader);
  const names = (sample[found.notes] ?? []).map((name) => name.trim());
  if (wanted !== null) {
    const name = wanted.trim().toLowerCase();
    // Who names a column says that there are names.
    const hasHeader =
      found.hasHeader || (knownHeader === null && name !== '' && names.some((one) => one.toLowerCase() === name));
    const { notes } = found;
    return { column: namedColumn(hasHeader ? names : names.map(() => ''), wanted, 'email_column'), hasHeader, notes };
  }
  if ('column' in found) return found;
  const { candidates, hasHeader } = found;
  const titles = hasHeader ? names : names.map((name) => (name.includes('@') ? '' : name));
  if (candidates.length === 0)
    throw invalidField('email_column', `must say which column holds the addresses, of ${shownNames(titles)}`);
  const shown = candidates.map((column) => {
    const example = sample.map((record) => record[column] ?? '').find((cell) => cell.includes('@')) ?? '';
    return `${shownName(titles[column]!, column)} (${shownName(example, column)})`;
  });
  throw invalidField('email_column', `must say which of these columns holds the addresses: ${shown.join(', ')}`);
}
