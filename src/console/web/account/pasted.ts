import type { UnreadLine } from '../parts/unread-lines.js';
import { isAddressName } from '../../../lib/address-column.js';

export interface PastedAddress {
  readonly email: string;
  readonly number: number;
}

export interface Pasted {
  /** Each with its line; the service has the last word on them. */
  readonly addresses: readonly PastedAddress[];
  readonly unread: readonly UnreadLine[];
}

/** A divider and the cell behind it, which may be in quotes. */
const CELL = /[,;\t] *(?:"((?:[^"]|"")*)" *(?=[,;\t]|$)|([^,;\t]*))/g;
const MAX_ADDRESS = 1_000;

/** One address a line, or a CSV: of its lines only the cells that are addresses, or the column that its header names. */
export function pastedOf(text: string): Pasted {
  const addresses: PastedAddress[] = [];
  const unread: UnreadLine[] = [];
  let column = -1;
  let isFirst = true;
  for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue;
    const cells = cellsOf(line);
    const isHeader = isFirst && !line.includes('@') && (cells.length > 1 || isAddressName(cells[0] ?? ''));
    isFirst = false;
    if (isHeader) {
      if (cells.length > 1) column = cells.findIndex(isAddressName);
      continue;
    }
    const read = column < 0 ? cells : cells.slice(column, column + 1);
    const found = read.filter(isAddress);
    if (found.length === 0) unread.push({ number: i + 1, text: line.trim() });
    for (const email of found) addresses.push({ email, number: i + 1 });
  }
  return { addresses, unread };
}

const cellsOf = (line: string): string[] =>
  [...`,${line}`.matchAll(CELL)].map(([, quoted, plain = '']) => (quoted?.replaceAll('""', '"') ?? plain).trim());

const isAddress = (cell: string): boolean =>
  cell.length <= MAX_ADDRESS && /^(\S+|".+")@[^\s@.]+(\.[^\s@.]+)*$/.test(cell);
