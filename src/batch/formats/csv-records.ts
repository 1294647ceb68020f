import { CsvError, parse } from 'csv-parse';
import { invalidField } from '../../platform/errors/app-error.js';
import { through } from '../../platform/http/caller-stream.js';
import {
  type ColumnSetting,
  type DelimiterName,
  delimiterOf,
  DELIMITERS,
  MAX_HEADER_CHARACTERS,
} from './intake-row.js';

const MAX_CHARACTERS_OF_A_RECORD = 65_536;
/** A record may have 64 KB. */
const RECORDS_PAGE_SIZE = 100;
/** What an error shows of the columns that a file has. */
const MAX_SHOWN_COLUMNS = 20;
const MAX_SHOWN_CHARACTERS = 60;

const EMAIL_HEADER = /^(e-?mails?|e-?mail[ _.-]?(address(es)?|addr|id)|mail|address(es)?)$/i;

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
function shownNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_SHOWN_COLUMNS).map((name, i) => {
    const printable = name.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '').slice(0, MAX_SHOWN_CHARACTERS);
    return printable.trim() === '' ? `${i + 1} (without a name)` : JSON.stringify(printable);
  });
  const more = names.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
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

export function isAddressHeader(name: string): boolean {
  return EMAIL_HEADER.test(name);
}

/**
 * The column of addresses, by its name or by an `@`.
 * @param hasHeader whether these are names, and not the first row
 * @throws AppError `invalid_input` when nothing tells it
 */
export function addressColumn(names: readonly string[], hasHeader: boolean): number {
  if (names.length === 1) return 0;
  const found = names.findIndex((name) => (hasHeader ? isAddressHeader(name) : name.includes('@')));
  if (found < 0)
    throw invalidField('email_column', `must say which column holds the addresses, of ${shownNames(names)}`);
  return found;
}
