import { invalid } from './intake-row.js';

/** More than any export has. Each row of the results names them all, so that a short header must not become long results. */
const MAX_COLUMNS = 256;
const MAX_NAME_CHARACTERS = 8_192;

/**
 * The columns that a file's first record names.
 * @throws AppError `invalid_input` for more than results can name
 */
export function checkColumns(names: readonly string[]): readonly string[] {
  const characters = names.reduce((sum, name) => sum + name.length, 0);
  if (names.length > MAX_COLUMNS || characters > MAX_NAME_CHARACTERS)
    throw invalid(
      'body',
      `may have at most ${MAX_COLUMNS} columns, whose names have at most ${MAX_NAME_CHARACTERS} characters together`,
    );
  return names;
}

/** What stands in the named columns. A row that ends early stays short: cells that were not sent take no room. */
export function cellsOf(record: readonly string[], names: readonly string[]): readonly string[] {
  return record.slice(0, names.length);
}
