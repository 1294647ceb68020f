import { AppError } from '../../platform/errors/app-error.js';
import { MAX_CELL_CHARACTERS, noWorkbook, type PartListener } from './workbook-part.js';

/** A million rows with 134 bytes each that no other row has. */
const MAX_BYTES = 134_217_728;
/** Empty ones take four bytes each. */
const MAX_COUNT = 16_777_216;
const FIRST_BYTES = 65_536;
const FIRST_COUNT = 1_024;

/**
 * The texts of a workbook, which its cells name by their number: all in one buffer, since a million strings would take five times the memory.
 */
export class StringTable implements PartListener {
  private bytes = Buffer.allocUnsafe(FIRST_BYTES);
  private ends = new Uint32Array(FIRST_COUNT);
  private count = 0;
  private item = '';
  private isText = false;
  /** How the characters of the text are read out: no part of it. */
  private isPhonetic = false;

  /** @returns undefined when no text has the number */
  at(number: number): string | undefined {
    if (!Number.isInteger(number) || number < 0 || number >= this.count) return undefined;
    return this.bytes.toString('utf8', number === 0 ? 0 : this.ends[number - 1], this.ends[number]);
  }

  begin(name: string): void {
    if (name === 'si') this.item = '';
    else if (name === 'rPh') this.isPhonetic = true;
    else if (name === 't') this.isText = !this.isPhonetic;
  }

  text(text: string): void {
    if (!this.isText) return;
    this.item += text;
    if (this.item.length > MAX_CELL_CHARACTERS) throw noWorkbook();
  }

  end(name: string): boolean {
    if (name === 'si') this.add(unescaped(this.item));
    else if (name === 'rPh') this.isPhonetic = false;
    else if (name === 't') this.isText = false;
    return false;
  }

  private add(text: string): void {
    const from = this.count === 0 ? 0 : this.ends[this.count - 1]!;
    // A UTF-16 unit has at most three bytes in UTF-8.
    const most = from + text.length * 3;
    if (most > MAX_BYTES || this.count === MAX_COUNT) throw new AppError('body_too_large');
    if (most > this.bytes.length) {
      const bytes = Buffer.allocUnsafe(Math.max(most, this.bytes.length * 2));
      this.bytes.copy(bytes, 0, 0, from);
      this.bytes = bytes;
    }
    if (this.count === this.ends.length) {
      const ends = new Uint32Array(this.ends.length * 2);
      ends.set(this.ends);
      this.ends = ends;
    }
    this.ends[this.count++] = from + this.bytes.write(text, from, 'utf8');
  }
}

/** `_x000D_` stands for a character that XML has no other way to write (ECMA-376, 22.4.2.4); what no text has is left out. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9A-F]{4})_/gi, (_, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16));
    return /[^\p{Cc}\p{Cs}]|[\t\n\r]/u.test(character) ? character : '';
  });
}
