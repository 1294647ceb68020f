import { isFormula } from '../../platform/csv-cell.js';

const [LINE_FEED, RETURN, SPACE, QUOTE, TILDE] = [10, 13, 32, 34, 126];
/** Bytes that a letter may take: in UTF-8, or as a doubled quote. */
const MAX_BYTES_A_LETTER = 3;
/** Bytes that a cell may need beside its letters: a delimiter before it, quotes around it, an apostrophe. */
const MAX_BYTES_AROUND = 4;
/** The one size of all pieces, so that freed memory fits the next piece: with varying sizes downloads kept memory for good. */
const PIECE_BYTES = 65_536;

/**
 * Lines on their way to a socket. They are written as bytes at once, because long texts would be joined first and then wait for
 * V8's slow garbage collection. One loop tests and copies the letters of a CSV cell (RFC 4180), which is cheaper than testing,
 * joining and encoding it.
 */
export class LineBytes {
  private bytes = Buffer.allocUnsafe(PIECE_BYTES);
  private full: Buffer[] = [];
  private length = 0;
  private isAtStart = true;
  private readonly delimiterByte: number;

  /** @param delimiter one character of ASCII */
  constructor(private readonly delimiter = ',') {
    this.delimiterByte = delimiter.charCodeAt(0);
  }

  /** @param value of a cell, which no spreadsheet runs; null and undefined leave it empty */
  cell(value: unknown): void {
    const text = textOf(value);
    this.sentCell(typeof value === 'string' && isFormula(text) ? `'${text}` : text);
  }

  /** @param text of a cell, which its reader finds as it is: a telephone number begins as a formula does */
  sentCell(text: string): void {
    this.makeRoom(text.length * MAX_BYTES_A_LETTER + MAX_BYTES_AROUND);
    if (!this.isAtStart) this.bytes[this.length++] = this.delimiterByte;
    this.isAtStart = false;
    if (!this.writePlain(text)) this.writeQuoted(text);
  }

  /** The mark by which spreadsheets know UTF-8; before all else. */
  byteOrderMark(): void {
    this.length += this.bytes.write('\uFEFF', this.length);
  }

  /** Ends a row after its last cell. */
  endLine(): void {
    this.makeRoom(2);
    this.bytes[this.length++] = RETURN;
    this.bytes[this.length++] = LINE_FEED;
    this.isAtStart = true;
  }

  /** Writes a whole line and its end. */
  line(text: string): void {
    this.makeRoom(text.length * MAX_BYTES_A_LETTER);
    this.length += this.bytes.write(text, this.length);
  }

  /** The full pieces; a line may begin in one and end in the next. The caller keeps them. */
  takeFull(): readonly Buffer[] {
    const { full } = this;
    if (full.length > 0) this.full = [];
    return full;
  }

  /** The last piece, after the last line. */
  takeRest(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /** Returns false and writes nothing when a letter of the text needs escaping or is not ASCII. */
  private writePlain(text: string): boolean {
    const { bytes, delimiterByte } = this;
    let at = this.length;
    for (let i = 0; i < text.length; i++) {
      const letter = text.charCodeAt(i);
      if (letter < SPACE || letter > TILDE || letter === QUOTE || letter === delimiterByte) return false;
      bytes[at++] = letter;
    }
    this.length = at;
    return true;
  }

  private writeQuoted(text: string): void {
    const quoted = /["\r\n]/.test(text) || text.includes(this.delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
    this.length += this.bytes.write(quoted, this.length);
  }

  private makeRoom(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    this.full.push(this.bytes.subarray(0, this.length));
    this.bytes = Buffer.allocUnsafe(Math.max(PIECE_BYTES, bytes));
    this.length = 0;
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
