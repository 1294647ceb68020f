import { isUtf8 } from 'node:buffer';
import { findAddressColumn, SAMPLE_ROWS } from '../../lib/address-column.js';
import { AppError } from '../../platform/errors/app-error.js';
import { refuseBinary } from './binary.js';
import { csvRecords, delimited, numberedNames, type Pages } from './csv-records.js';
import { type Bytes, type DelimiterName, DELIMITERS, type IntakeSettings } from './sent-body.js';
import { checkSettings } from './formats.js';
import { checkText, decoderOf } from './text-decoder.js';
import type { Sheet } from '../workbook/workbook.js';
import { isArchive, type SentWorkbook, XLSX, workbookRecords } from './workbook-reader.js';

/** How a table would be read as it stands. Columns are counted from 1, as callers name them. */
export interface TablePreview {
  /** As what the whole file is to be sent. */
  readonly contentType: string;
  /** Of a text. */
  readonly charset: string | null;
  /** Of a CSV. */
  readonly delimiter: DelimiterName | null;
  /** Of a workbook; null for a text. */
  readonly sheets: readonly Pick<Sheet, 'name' | 'isHidden'>[] | null;
  /** The one that is read; null: a text, or none that has addresses. */
  readonly sheet: string | null;
  readonly hasHeader: boolean;
  /** The names of the columns; one without a name is called by its number. */
  readonly columns: readonly string[];
  /** The one with the addresses; null: somebody has to say it. */
  readonly emailColumn: number | null;
  /** Those that it may be. */
  readonly candidates: readonly number[];
  /** The first rows behind the names. */
  readonly rows: readonly (readonly string[])[];
}

type Settings = Pick<IntakeSettings, 'delimiter' | 'sheet' | 'hasHeader'>;

export interface SentTable extends SentWorkbook {
  /** The charset that the sender names; null: nobody knows it. */
  readonly charset: string | null;
}

/** So much of a text is looked at. */
const MAX_TEXT_BYTES = 65_536;
/** They tell a workbook from a text. */
const SIGNATURE_BYTES = 4;
const MAX_ROWS = 20;
const MAX_SHOWN_CHARACTERS = 200;
const LINE_FEED = 0x0a;

/**
 * Looks at the first rows of a table in whatever form it comes, which its bytes tell.
 * @throws AppError `invalid_input` for what is no table, or has no such sheet
 */
export async function previewOf(sent: SentTable, settings: Settings): Promise<TablePreview> {
  const pieces = sent.bytes[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    start = Buffer.concat([start, next.value]);
    if (start.length >= SIGNATURE_BYTES) break;
  }
  async function* bytes(): AsyncGenerator<Buffer> {
    yield start;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  const isWorkbook = isArchive(start);
  checkSettings(!isWorkbook, settings);
  if (isWorkbook) return previewOfWorkbook({ ...sent, bytes: bytes() }, settings);
  return previewOfText(await startOf(bytes()), sent.charset, settings);
}

async function previewOfText(start: Buffer, given: string | null, settings: Settings): Promise<TablePreview> {
  const charset = given ?? charsetOf(start);
  async function* bytes(): Bytes {
    yield start;
  }
  async function* text(): AsyncGenerator<string> {
    for await (const whole of refuseBinary(bytes())) yield checkText(decoderOf(whole, charset, false).decode(whole));
  }
  const divided = await delimited(text(), settings.delimiter);
  const [delimiter] = Object.entries(DELIMITERS).find(([, sign]) => sign === divided.delimiter)!;
  const sample = await firstRows(csvRecords(divided));
  return {
    contentType: `text/csv; charset=${charset}`,
    charset,
    delimiter: delimiter as DelimiterName,
    sheets: null,
    sheet: null,
    ...columnsOf(sample, settings.hasHeader),
  };
}

async function previewOfWorkbook(sent: SentWorkbook, { sheet: wanted, hasHeader }: Settings): Promise<TablePreview> {
  let sheets: readonly Sheet[] = [];
  let sheet: string | null = null;
  const records = workbookRecords(sent, 'addresses', wanted, {
    onSheets: (all) => void (sheets = all),
    onSheet: ({ name }) => void (sheet = name),
  });
  const sample = await firstRows(records).catch((error: unknown) => {
    // No sheet has addresses: somebody will name one.
    if (wanted === null && error instanceof AppError && error.details.fields?.[0]?.field === 'sheet') return [];
    throw error;
  });
  return {
    contentType: XLSX,
    charset: null,
    delimiter: null,
    sheets: sheets.map(({ name, isHidden }) => ({ name, isHidden })),
    sheet,
    ...columnsOf(sample, hasHeader),
  };
}

/** What can be read. That the rest cannot is told when the whole of it is sent, and of a part the last record may be cut off. */
async function firstRows(pages: Pages): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  try {
    for await (const page of pages) {
      rows.push(...page);
      if (rows.length >= SAMPLE_ROWS) break;
    }
  } catch (error) {
    if (rows.length === 0 || !(error instanceof AppError)) throw error;
  }
  return rows.slice(0, SAMPLE_ROWS);
}

function columnsOf(sample: readonly (readonly string[])[], knownHeader: boolean | null) {
  const found = findAddressColumn(sample, knownHeader);
  const names = sample[found.notes] ?? [];
  const others = sample.slice(found.notes + (found.hasHeader ? 1 : 0));
  const width = sample.slice(found.notes).reduce((most, row) => Math.max(most, row.length), 0);
  const named = Array.from({ length: width }, (_, i) => (found.hasHeader ? (names[i]?.trim() ?? '') : ''));
  const candidates = 'column' in found ? [...names.keys()].filter((i) => i === found.column) : found.candidates;
  return {
    hasHeader: found.hasHeader,
    columns: numberedNames(named).map(shown),
    emailColumn: 'column' in found && candidates.length > 0 ? found.column + 1 : null,
    candidates: candidates.map((column) => column + 1),
    rows: others.slice(0, MAX_ROWS).map((row) => row.map(shown)),
  };
}

const shown = (text: string): string =>
  text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS - 1)}…`;

/** The whole lines that stand in the first bytes. */
async function startOf(bytes: Bytes): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_TEXT_BYTES) break;
  }
  const start = Buffer.concat(pieces);
  if (length <= MAX_TEXT_BYTES) return start;
  const end = start.lastIndexOf(LINE_FEED, MAX_TEXT_BYTES - 2) + 1;
  // In UTF-16 with its small end first a line feed has a second byte.
  return start.subarray(0, start[end] === 0 ? end + 1 : end);
}

/** By its mark or by zeros where the high bytes of letters would be; what is no UTF-8 is as old Windows programs write it. */
function charsetOf(start: Buffer): string {
  const [a, b] = start;
  if ((a === 0xff && b === 0xfe) || (b === 0 && a !== 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0)) return 'utf-16be';
  return isUtf8(start) ? 'utf-8' : 'windows-1252';
}
