import { CsvError, parse } from 'csv-parse';
import { through } from '../../platform/http/caller-stream.js';
import { cellsOf, checkColumns } from './columns.js';
import { checkLength, type IntakeRow, type IntakeSettings, invalid, type Rows } from './intake-row.js';

const DELIMITERS = [',', ';', '\t', '|'] as const;
const EMAIL_HEADER = /^(e-?mails?|e-?mail[ _.-]?(address(es)?|addr|id)|mail|address(es)?)$/i;
/** What the first look reads at most: a line that is longer is no header. */
const FIRST_LOOK = 65_536;
const MOST_CHARACTERS_OF_A_RECORD = 65_536;
/** A record may have 64 KB. */
const ROWS_AT_ONCE = 100;

interface Layout {
  readonly column: number;
  readonly others: readonly string[] | null;
  readonly hasHeader: boolean;
}

/** RFC 4180 and what spreadsheets make of it: the delimiter is found out, the column of addresses by its name or by its first address. */
export async function* readCsv(text: AsyncIterable<string>, settings: IntakeSettings): Rows {
  const { delimiter, all } = await findDelimiter(text);
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MOST_CHARACTERS_OF_A_RECORD,
  });
  let layout: Layout | null = null;
  let rows: IntakeRow[] = [];
  let number = 0;
  try {
    for await (const record of through(all, parser) as AsyncIterable<string[]>) {
      number += 1;
      if (layout === null) {
        layout = layoutOf(record, settings.emailColumn);
        settings.columns = layout.others;
        if (layout.hasHeader) continue;
      }
      rows.push(rowOf(record, layout, number));
      if (rows.length < ROWS_AT_ONCE) continue;
      yield rows;
      rows = [];
    }
  } catch (error) {
    throw error instanceof CsvError ? invalid('body', `is no CSV: ${error.message}`) : error;
  }
  if (rows.length > 0) yield rows;
}

function rowOf(record: readonly string[], { column, others }: Layout, number: number): IntakeRow {
  const email = checkLength(record[column] ?? '', `record ${number}`);
  if (others === null) return { email, cells: null };
  return {
    email,
    cells: cellsOf(
      record.filter((_, i) => i !== column),
      others,
    ),
  };
}

function layoutOf(first: readonly string[], wanted: string | null): Layout {
  const names = first.map((name) => name.trim());
  const hasHeader = !names.some((name) => name.includes('@'));
  const column = wanted === null ? foundColumn(names, hasHeader) : namedColumn(names, wanted, hasHeader);
  const isHeader = hasHeader && (names.length > 1 || wanted !== null || EMAIL_HEADER.test(names[0]!));
  if (names.length === 1) return { column, others: null, hasHeader: isHeader };
  const all = checkColumns(names.map((name, i) => (isHeader && name !== '' ? name : `column_${i + 1}`)));
  const others = all.filter((_, i) => i !== column);
  // Of columns with one name, the verified one keeps it: beside a verdict nobody must read another address.
  return { column, others: others.map((name) => (name === all[column] ? `${name}_2` : name)), hasHeader: isHeader };
}

function foundColumn(names: readonly string[], hasHeader: boolean): number {
  if (names.length === 1) return 0;
  const found = names.findIndex((name) => (hasHeader ? EMAIL_HEADER.test(name) : name.includes('@')));
  if (found < 0) throw invalid('email_column', 'must say which column holds the addresses: no header tells it');
  return found;
}

function namedColumn(names: readonly string[], wanted: string, hasHeader: boolean): number {
  const found = hasHeader ? names.findIndex((name) => name.toLowerCase() === wanted.trim().toLowerCase()) : -1;
  if (found >= 0) return found;
  const number = /^\d{1,4}$/.test(wanted) ? Number(wanted) : 0;
  if (number >= 1 && number <= names.length) return number - 1;
  throw invalid('email_column', 'names no column of the header');
}

/** Looks at the first line, and gives all of the text on. */
async function findDelimiter(text: AsyncIterable<string>) {
  const pieces = text[Symbol.asyncIterator]();
  let start = '';
  while (!/[\r\n]/.test(start) && start.length < FIRST_LOOK) {
    const { done, value } = await pieces.next();
    if (done) break;
    start += value;
  }
  const outside = start
    .slice(0, FIRST_LOOK)
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1)[0]!;
  const counts = DELIMITERS.map((delimiter) => outside.split(delimiter).length);
  async function* all(): AsyncGenerator<string> {
    yield start;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { delimiter: DELIMITERS[counts.indexOf(Math.max(...counts))]!, all: all() };
}
