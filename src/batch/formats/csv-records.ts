import { CsvError, parse } from 'csv-parse';
import {
  type AddressColumn,
  findAddressColumn,
  hasAddress,
  MAX_COLUMNS,
  SAMPLE_ROWS,
} from '../../lib/address-column.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { through } from '../../platform/http/caller-stream.js';
import { type ColumnSetting, type DelimiterName, DELIMITERS, MAX_HEADER_CHARACTERS } from './sent-body.js';

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

/** `sep=;`, by which Excel is told what divides the columns: no row. */
const SEPARATOR_LINE = /^sep=([,;\t|])?(\r\n|\r|\n)/i;
const FIRST_LINES = /[\r\n][^\r\n]+[\r\n]/;
/** Lines by which a delimiter is chosen. */
const MAX_LINES = 20;

/** Reads the first lines, by which the delimiter is told unless the caller has said what it is. */
export async function delimited(text: AsyncIterable<string>, given: DelimiterName | null): Promise<DelimitedText> {
  const pieces = text[Symbol.asyncIterator]();
  let start = '';
  while (!FIRST_LINES.test(start) && start.length < MAX_HEADER_CHARACTERS) {
    const { done, value } = await pieces.next();
    if (done) break;
    start += value;
  }
  const told = SEPARATOR_LINE.exec(start);
  const table = start.slice(told?.[0].length ?? 0);
  async function* all(): AsyncGenerator<string> {
    yield table;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { delimiter: given === null ? (told?.[1] ?? delimiterOf(table)) : DELIMITERS[given], all: all() };
}

/** The delimiter that leaves the most addresses whole; among those that leave as many, the one that stands in the first line most often. */
function delimiterOf(start: string): string {
  const withoutQuoted = start
    .slice(0, MAX_HEADER_CHARACTERS)
    .replace(/"([^"]*)"/g, (_quoted, text: string) => text.replace(/[,;\t|\r\n]/g, ' '));
  const lines = withoutQuoted.split(/[\r\n]+/, MAX_LINES);
  const scores = Object.values(DELIMITERS).map((delimiter) => ({
    delimiter,
    addresses: lines.flatMap((line) => line.split(delimiter, MAX_COLUMNS)).filter(hasAddress).length,
    columns: lines[0]!.split(delimiter, MAX_COLUMNS).length,
  }));
  return scores.reduce((best, one) => ((one.addresses - best.addresses || one.columns - best.columns) > 0 ? one : best))
    .delimiter;
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
