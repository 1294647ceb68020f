import { printable } from './print.js';

/**
 * A reply for a person: a line a field, and a list as a table.
 * @param width of the terminal; a table that is wider becomes a block of lines a row, so that nothing is cut off
 */
export function textOf(
  reply: object,
  width: number = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY,
): string {
  const { next_cursor: nextCursor, ...fields } = reply as { readonly next_cursor?: string | null };
  const entries = Object.entries<unknown>(fields);
  const lists = entries.map(([, value]) => value).filter(isTable);
  const more = nextCursor ? `\nMore: --cursor ${nextCursor}\n` : '';
  return (
    linesOf(entries.filter(([, value]) => !isTable(value))) +
    lists.map((rows) => tableOf(rows, width)).join('\n') +
    more
  );
}

/** A list of names is a field like any other. */
function isTable(value: unknown): value is object[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'object');
}

/** Members that are in one reply only. */
const SHOWN_ONCE = { api_key: 'key', secret: 'secret' };

function linesOf(fields: readonly [name: string, value: unknown][]): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  const lines = fields.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}\n`);
  const issued = Object.entries(SHOWN_ONCE).find(([member]) => typeof Object.fromEntries(fields)[member] === 'string');
  return lines.join('') + (issued === undefined ? '' : `\nThe ${issued[1]} is shown here and never again.\n`);
}

function tableOf(rows: readonly object[], width: number): string {
  if (rows.length === 0) return 'None.\n';
  const names = Object.keys(rows[0]!);
  const table = [names, ...rows.map((row) => Object.values(row).map((value) => cell(value)))];
  const widths = names.map((_, column) => Math.max(...table.map((line) => line[column]!.length)));
  const lines = table.map((line) =>
    line
      .map((text, column) => text.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  if (lines.some(({ length }) => length > width)) return rows.map((row) => linesOf(Object.entries(row))).join('\n');
  return `${lines.join('\n')}\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(', ');
  if (typeof value === 'string') return printable(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const told = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return told.length === 0 ? '-' : told.map(([name, one]) => `${printable(name)} ${within(one)}`).join(', ');
}

/** What an object or a list within another one says stands in parentheses. */
function within(value: unknown): string {
  return typeof value === 'object' ? `(${cell(value)})` : cell(value);
}
