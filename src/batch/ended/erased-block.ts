import type { ErasedAddress } from '../../platform/addresses/erased-address.js';
import { readRowRefs, type RowRef } from '../model/row-ref.js';
import type { SentColumns } from '../model/sent-columns.js';
import { ERASED_TEXT } from './erased-item.js';
import { isItem } from './erased-pass.js';

/** A block of rows as it is stored. */
export interface StoredBlock {
  /** By index in the block, as sent: duplicates of earlier rows. */
  readonly repeated: Readonly<Record<number, string>>;
  readonly rowRefs: Buffer;
  readonly extraColumns: readonly (readonly string[])[] | null;
}

/** A block without the address; null where it is as it was. */
export interface ErasedBlock {
  readonly repeated: StoredBlock['repeated'] | null;
  readonly extraColumns: StoredBlock['extraColumns'];
  /** Rows that have lost something. */
  readonly rows: number;
}

/**
 * Takes an address out of a block of rows: rows that had it keep their place and nothing else, because their other columns are about the
 * same person; in other rows each cell that names the address is emptied.
 * @param refs of the items that are gone
 */
export function eraseFromBlock(
  { repeated, rowRefs, extraColumns }: StoredBlock,
  refs: ReadonlySet<RowRef>,
  address: ErasedAddress,
): ErasedBlock {
  const touched = new Set<number>();
  for (const [row, ref] of readRowRefs(rowRefs).entries()) if (refs.has(ref)) touched.add(row);
  const gone = new Set(touched);
  const texts = Object.entries(repeated).map(([row, text]): readonly [string, string] => {
    if (!gone.has(Number(row)) && !isItem(text, address)) return [row, text];
    touched.add(Number(row));
    return [row, ERASED_TEXT];
  });
  const cells =
    extraColumns?.map((values, row) => {
      if (!gone.has(row) && !values.some((value) => address.isIn(value))) return values;
      touched.add(row);
      return values.map((value) => (gone.has(row) || address.isIn(value) ? ERASED_TEXT : value));
    }) ?? null;
  return {
    repeated: texts.some(([row, text]) => repeated[Number(row)] !== text) ? Object.fromEntries(texts) : null,
    extraColumns: touched.size > 0 ? cells : null,
    rows: touched.size,
  };
}

/** The names of the columns without the address, which stands among them where a file had no header; null: as they were. */
export function eraseFromColumns(sent: SentColumns, address: ErasedAddress): SentColumns | null {
  const { names, layout } = sent;
  const clean = (name: string) => (address.isIn(name) ? ERASED_TEXT : name);
  const left = { ...sent, names: names.map(clean), layout: layout && { ...layout, name: clean(layout.name) } };
  return JSON.stringify(left) === JSON.stringify(sent) ? null : left;
}
