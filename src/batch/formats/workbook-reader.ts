import { hasAddress, notesBefore, SAMPLE_ROWS } from '../../lib/address-column.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { refuseBinary } from './binary.js';
import { shownNames } from './csv-records.js';
import type { Bytes, RowKind } from './sent-body.js';
import { PackedFile } from '../workbook/packed-file.js';
import { type Pace, Unpacking } from '../workbook/unpacking.js';
import { noWorkbook } from '../workbook/workbook-part.js';
import { type Sheet, Workbook } from '../workbook/workbook.js';

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

type Pages = AsyncGenerator<readonly (readonly string[])[], void, void>;

/** As `file-signatures.json` calls it. */
const SIGNATURE = 'an Excel workbook (.xlsx) or another Office file';

export interface SentWorkbook extends Pace {
  readonly bytes: Bytes;
}

/** Told of the sheets before any row is read. */
export interface SheetListener {
  readonly onSheets?: (sheets: readonly Sheet[]) => void;
  readonly onSheet?: (read: Sheet) => void;
}

/** Every archive that has anything begins so (PKWARE APPNOTE 4.3.7). */
const ARCHIVE = Buffer.from('PK\x03\x04', 'latin1');

/** @param start four bytes at least, where there are so many */
export const isArchive = (start: Buffer): boolean => start.subarray(0, ARCHIVE.length).equals(ARCHIVE);

/**
 * The rows of one sheet of an Excel workbook, in pages as those of a CSV.
 * @param wanted the sheet by its name, or by its number from 1; null: the first one with addresses, and of people the first one with rows
 * @throws AppError `invalid_input`, `body_too_large`
 */
export async function* workbookRecords(
  sent: SentWorkbook,
  kind: RowKind,
  wanted: string | null,
  listener: SheetListener = {},
): Pages {
  const packed = await PackedFile.of(archiveIn(sent.bytes));
  const unpacking = new Unpacking(packed.bytes, sent);
  try {
    const workbook = await Workbook.of(packed, unpacking);
    listener.onSheets?.(workbook.sheets);
    if (wanted === null) return yield* foundSheet(workbook, kind, listener);
    const sheet = namedSheet(workbook.sheets, wanted);
    listener.onSheet?.(sheet);
    yield* pagesOf(workbook, sheet);
  } finally {
    unpacking.end();
    await packed.close();
  }
}

async function* foundSheet(workbook: Workbook, kind: RowKind, listener: SheetListener): Pages {
  const sheets = workbook.sheets.filter(({ isHidden }) => !isHidden);
  for (const sheet of sheets) {
    const pages = pagesOf(workbook, sheet);
    const { value: first, done } = await pages.next();
    if (done === true) continue;
    if (kind === 'people' || sheets.length === 1 || first.some((row) => row.some(hasAddress))) {
      listener.onSheet?.(sheet);
      yield first;
      return yield* pages;
    }
    await pages.return(undefined);
  }
  if (kind === 'addresses' && sheets.length > 1)
    throw invalidField(
      'sheet',
      `must say which sheet holds the addresses, of ${namesOf(sheets)}: the first rows of none do`,
    );
}

async function* archiveIn(bytes: Bytes): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const piece of refuseBinary(bytes, SIGNATURE)) {
    if (isFirst && !isArchive(piece)) throw noWorkbook();
    isFirst = false;
    yield piece;
  }
  if (isFirst) throw noWorkbook();
}

function namedSheet(sheets: readonly Sheet[], wanted: string): Sheet {
  const name = wanted.trim().toLowerCase();
  const found = sheets.find((sheet) => sheet.name.trim().toLowerCase() === name);
  const numbered = /^\d{1,4}$/.test(wanted) ? sheets[Number(wanted) - 1] : undefined;
  const sheet = found ?? numbered;
  if (sheet === undefined) throw invalidField('sheet', `names no sheet of the workbook, which has ${namesOf(sheets)}`);
  return sheet;
}

const namesOf = (sheets: readonly Sheet[]): string => shownNames(sheets.map(({ name }) => name));

/** Pages of so many rows as tell the column of addresses. Rows of a sheet end with their last value; those of a table have a common width. */
async function* pagesOf(workbook: Workbook, sheet: Sheet): Pages {
  let width = 0;
  let isFirst = true;
  let held: string[][] = [];
  const page = (rows: string[][]): string[][] => {
    const table = isFirst ? rows.slice(notesBefore(rows)) : rows;
    isFirst = false;
    for (const row of table) width = Math.max(width, row.length);
    for (const row of table) while (row.length < width) row.push('');
    return rows;
  };
  for await (const rows of workbook.rows(sheet)) {
    held = held.length === 0 ? rows : [...held, ...rows];
    let at = 0;
    for (; held.length - at >= SAMPLE_ROWS; at += SAMPLE_ROWS) yield page(held.slice(at, at + SAMPLE_ROWS));
    held = held.slice(at);
  }
  if (held.length > 0) yield page(held);
}
