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
export const EMAIL_HEADER = /^(e-?mails?|e-?mail[ _.-]?(address(es)?|addr|id)|mail|address(es)?)$/i;

/** What a person has corrected; the rest is found out. */
export interface Corrections {
  readonly charset?: Charset;
  readonly delimiter?: Delimiter;
}

/** @param start the first bytes of the file */
export function previewOf(start: Uint8Array, isWhole: boolean, corrections: Corrections = {}): Preview {
  const charset = corrections.charset ?? charsetOf(start);
  const text = new TextDecoder(charset).decode(start);
  const delimiter = corrections.delimiter ?? delimiterOf(text);
  const records = recordsOf(text, DELIMITERS[delimiter]);
  // The last record of a part may be cut off.
  if (!isWhole && records.length > 1) records.pop();
  const [first = [], ...others] = records;
  const hasHeader = first.length > 0 && !first.some((name) => name.includes('@')) && isHeader(first);
  const rows = (hasHeader ? others : records).slice(0, PREVIEW_ROWS);
  return {
    charset,
    delimiter,
    header: hasHeader ? first : null,
    rows,
    column: columnOf(hasHeader ? first : null, rows),
  };
}

const isHeader = (names: readonly string[]): boolean => names.length > 1 || EMAIL_HEADER.test(names[0]!.trim());

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

/** Records of RFC 4180, as many as are shown. */
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
  for (let i = 0; i < text.length && records.length < PREVIEW_ROWS + 2; i++) {
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

function columnOf(header: readonly string[] | null, rows: readonly (readonly string[])[]): number | null {
  const named = header?.findIndex((name) => EMAIL_HEADER.test(name.trim())) ?? -1;
  if (named >= 0) return named;
  const found = rows[0]?.findIndex((value) => value.includes('@')) ?? -1;
  return found >= 0 ? found : null;
}
