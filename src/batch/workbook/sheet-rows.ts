import { invalidField } from '../../platform/errors/app-error.js';
import { MAX_COLUMNS } from '../../lib/address-column.js';
import type { NumberFormats } from './number-formats.js';
import { type StringTable, unescaped } from './string-table.js';
import { MAX_CELL_CHARACTERS, noWorkbook, type PartListener } from './workbook-part.js';

/** As the records of a CSV. */
const MAX_CHARACTERS_OF_A_ROW = 65_536;

/** The rows of a sheet that hold anything: a formula is its last value, as Excel shows it, and of merged cells the first one has the value. */
export class SheetRows implements PartListener {
  /** Those that were read, which the caller takes. */
  rows: string[][] = [];
  private row: string[] = [];
  private characters = 0;
  private cell: Readonly<Record<string, string>> = {};
  private column = -1;
  private value = '';
  private isValue = false;
  private isPhonetic = false;

  constructor(
    private readonly strings: StringTable,
    private readonly formats: NumberFormats,
  ) {}

  begin(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      this.row = [];
      this.characters = 0;
      this.column = -1;
    } else if (name === 'c') {
      this.cell = attributes;
      this.column = attributes['r'] === undefined ? this.column + 1 : columnOf(attributes['r']);
      this.value = '';
    } else if (name === 'rPh') this.isPhonetic = true;
    else if (name === 'v' || name === 't') this.isValue = !this.isPhonetic;
  }

  text(text: string): void {
    if (!this.isValue) return;
    this.value += text;
    if (this.value.length > MAX_CELL_CHARACTERS) refuse();
  }

  end(name: string): boolean {
    if (name === 'v' || name === 't') this.isValue = false;
    else if (name === 'rPh') this.isPhonetic = false;
    else if (name === 'c') this.addCell();
    else if (name === 'row' && this.row.length > 0) this.rows.push(this.row);
    return name === 'sheetData';
  }

  private addCell(): void {
    const text = this.value === '' ? '' : this.shown();
    if (text === '') return;
    if (this.column >= MAX_COLUMNS) throw invalidField('body', `may have at most ${MAX_COLUMNS} columns`);
    this.characters += text.length;
    if (this.characters > MAX_CHARACTERS_OF_A_ROW)
      throw invalidField('body', `may have at most ${MAX_CHARACTERS_OF_A_ROW} characters in a row`);
    while (this.row.length < this.column) this.row.push('');
    this.row[this.column] = text;
  }

  /** By the types of cells (ECMA-376, 18.18.11). */
  private shown(): string {
    const { value } = this;
    switch (this.cell['t']) {
      case 's':
        return this.strings.at(Number(value)) ?? refuse();
      case 'str':
      case 'inlineStr':
        return unescaped(value);
      case 'b':
        return value === '1' ? 'TRUE' : 'FALSE';
      case 'e':
      case 'd':
        return value;
      default:
        return this.formats.shown(value, this.cell['s']);
    }
  }
}

function refuse(): never {
  throw noWorkbook();
}

const LETTER_BEFORE_A = 64;

/** From 0. @param reference such as `AB12` */
function columnOf(reference: string): number {
  let column = 0;
  for (let i = 0; i < reference.length; i++) {
    const letter = reference.charCodeAt(i) - LETTER_BEFORE_A;
    if (letter < 1 || letter > 26) return i >= 1 && i <= 3 ? column - 1 : refuse();
    column = column * 26 + letter;
  }
  return refuse();
}
