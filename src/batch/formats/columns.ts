import { invalidField } from '../../platform/errors/app-error.js';

/** What the rows of a body are. */
export type RowKind = 'addresses' | 'people';

/** The columns of a CSV that a caller may name in the query or in a form, each with what it holds. */
export const COLUMN_SETTINGS = {
  addresses: { email_column: 'addresses' },
  people: {
    full_name_column: 'full names',
    first_name_column: 'first names',
    last_name_column: 'last names',
    domain_column: 'domains',
  },
} as const satisfies Readonly<Record<RowKind, Readonly<Record<string, string>>>>;

export type ColumnSetting = { [Kind in RowKind]: keyof (typeof COLUMN_SETTINGS)[Kind] }[RowKind];

/** What divides the columns of a CSV, by the names that callers give it. */
export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const;
export type DelimiterName = keyof typeof DELIMITERS;
export const DELIMITER_NAMES = Object.keys(DELIMITERS) as DelimiterName[];

/** Characters read to find the delimiter: a longer line is no header. */
export const MAX_HEADER_CHARACTERS = 65_536;
/** More than any export has. Each row of the results repeats all names, so a short header must not become long results. */
const MAX_COLUMNS = 256;
const MAX_NAME_CHARACTERS = 8_192;

/** Guesses the delimiter of a CSV by its first line: the one that stands there most often outside quotes. */
export function delimiterOf(start: string): string {
  const outside = start
    .slice(0, MAX_HEADER_CHARACTERS)
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1)[0]!;
  const delimiters = Object.values(DELIMITERS);
  const counts = delimiters.map((delimiter) => outside.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))]!;
}

/**
 * The columns that a file's first record names.
 * @throws AppError `invalid_input` for more than results can name
 */
export function checkColumns(names: readonly string[]): readonly string[] {
  const characters = names.reduce((sum, name) => sum + name.length, 0);
  if (names.length > MAX_COLUMNS || characters > MAX_NAME_CHARACTERS)
    throw invalidField(
      'body',
      `may have at most ${MAX_COLUMNS} columns, whose names have at most ${MAX_NAME_CHARACTERS} characters together`,
    );
  return names;
}

/** The values of the named columns. A row that ends early stays short: values that were not sent take no room. */
export function extraColumnsOf(record: readonly string[], names: readonly string[]): readonly string[] {
  return record.slice(0, names.length);
}
