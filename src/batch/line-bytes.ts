const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, PLUS, COMMA, MINUS, EQUALS, AT, TILDE] = [
  9, 10, 13, 32, 34, 43, 44, 45, 61, 64, 126,
];
/** Of UTF-8, or of a quote that is doubled. */
const MOST_BYTES_A_LETTER = 3;
/** A comma before it, quotes around it, an apostrophe. */
const MOST_BYTES_AROUND = 4;
/** One size for all, so that memory that was freed fits the next one: of sizes as they came 50 MB a download were never given back. */
const PIECE_BYTES = 65_536;

/**
 * Lines on their way to a socket: as bytes at once, since texts of half a megabyte are joined first and then wait for the slow garbage
 * collector. A cell of a CSV (RFC 4180) is looked through and written letter by letter, at half the cost of testing, joining and encoding
 * it.
 */
export class LineBytes {
  private bytes = Buffer.allocUnsafe(PIECE_BYTES);
  private full: Buffer[] = [];
  private length = 0;
  private isAtStart = true;

  /** @param value of a cell; null, and what is no value, leaves it empty */
  cell(value: unknown): void {
    const text = textOf(value);
    this.makeRoom(text.length * MOST_BYTES_A_LETTER + MOST_BYTES_AROUND);
    if (!this.isAtStart) this.bytes[this.length++] = COMMA;
    this.isAtStart = false;
    if (typeof value === 'string' && isFormula(text)) this.writeQuoted(`'${text}`);
    else if (!this.writePlain(text)) this.writeQuoted(text);
  }

  /** After the last cell. */
  endLine(): void {
    this.makeRoom(2);
    this.bytes[this.length++] = RETURN;
    this.bytes[this.length++] = LINE_FEED;
    this.isAtStart = true;
  }

  /** A line that is whole, with its end. */
  line(text: string): void {
    this.makeRoom(text.length * MOST_BYTES_A_LETTER);
    this.length += this.bytes.write(text, this.length);
  }

  /** The pieces that are full; a line may begin in one and end in the next. Whoever takes them keeps them. */
  takeFull(): readonly Buffer[] {
    const { full } = this;
    if (full.length > 0) this.full = [];
    return full;
  }

  /** After the last line. */
  takeRest(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /** False, with nothing written, when the text is more than letters of ASCII that stand for themselves. */
  private writePlain(text: string): boolean {
    const bytes = this.bytes;
    let at = this.length;
    for (let i = 0; i < text.length; i++) {
      const letter = text.charCodeAt(i);
      if (letter < SPACE || letter > TILDE || letter === QUOTE || letter === COMMA) return false;
      bytes[at++] = letter;
    }
    this.length = at;
    return true;
  }

  private writeQuoted(text: string): void {
    const quoted = /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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

/** A spreadsheet runs a cell that begins with one of these; after an apostrophe it shows it (OWASP, CSV injection). */
function isFormula(text: string): boolean {
  switch (text.charCodeAt(0)) {
    case EQUALS:
    case PLUS:
    case MINUS:
    case AT:
    case TAB:
    case RETURN:
      return true;
    default:
      return false;
  }
}
