import { findAddressColumn, SAMPLE_ROWS } from '../../../lib/address-column.js';

/** What the console reads of a file to show it before it is sent; the service reads the whole of it by the same rules. */
export interface Preview {
  readonly charset: Charset;
  readonly delimiter: Delimiter;
  /** Null: the first record is a row already. */
  readonly header: readonly string[] | null;
  readonly rows: readonly (readonly string[])[];
  /** Where the addresses are, from 0; null when nobody can tell. */
  readonly column: number | null;
}

export const CHARSETS = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type Charset = (typeof CHARSETS)[number];

export const PREVIEW_BYTES = 65_536;
const PREVIEW_ROWS = 20;
/** By the names that the service gives them. */
const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const;
export type Delimiter = keyof typeof DELIMITERS;
export const DELIMITER_NAMES = Object.keys(DELIMITERS) as Delimiter[];

/** What a person has corrected; the rest is found out. */
export interface Corrections {
  readonly charset?: Charset;
  readonly delimiter?: Delimiter;
  readonly hasHeader?: boolean;
}

/** @param start the first bytes of the file */
export function previewOf(start: Uint8Array, isWhole: boolean, corrections: Corrections = {}): Preview {
  const charset = corrections.charset ?? charsetOf(start);
  const text = new TextDecoder(charset).decode(start);
  const delimiter = corrections.delimiter ?? delimiterOf(text);
  const records = recordsOf(text, DELIMITERS[delimiter]);
  // The last record of a part may be cut off.
  if (!isWhole && records.length > 1) records.pop();
  const found = records.length === 0 ? NOTHING : findAddressColumn(records, corrections.hasHeader ?? null);
  const first = records[found.notes] ?? [];
  const rowsFrom = found.notes + (found.hasHeader ? 1 : 0);
  const rows = records.slice(rowsFrom, rowsFrom + PREVIEW_ROWS);
  const column = 'column' in found ? found.column : null;
  return { charset, delimiter, header: found.hasHeader ? first : null, rows, column };
}

const NOTHING = { candidates: [], hasHeader: false, notes: 0 };

export function charsetOf(start: Uint8Array): Charset {
  const [a, b] = start;
  if ((a === 0xff && b === 0xfe) || (b === 0 && a !== 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0)) return 'utf-16be';
  try {
    // The last character of a part may be cut off; a stream waits for its end.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

function delimiterOf(text: string): Delimiter {
  const line = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)[0]!;
  const counts = DELIMITER_NAMES.map((name) => line.split(DELIMITERS[name]).length);
  return DELIMITER_NAMES[counts.indexOf(Math.max(...counts))]!;
}

/** Records of RFC 4180, as many as tell where the addresses are. */
function recordsOf(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let field = '';
  let isQuoted = false;
  const endRecord = () => {
    record.push(field);
    field = '';
    if (record.length > 1 || record[0]!.trim() !== '') records.push(record);
    record = [];
  };
  for (let i = 0; i < text.length && records.length <= SAMPLE_ROWS; i++) {
    const character = text[i]!;
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text[i + 1] === '"') field += text[++i]!;
      else isQuoted = false;
    } else if (character === '"' && field === '') isQuoted = true;
    else if (character === delimiter) {
      record.push(field);
      field = '';
    } else if (character === '\n') endRecord();
    else if (character !== '\r') field += character;
  }
  if (field !== '' || record.length > 0) endRecord();
  return records;
}
