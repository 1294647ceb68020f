import { noWorkbook, type PartListener } from './workbook-part.js';

/** Numbers of formats that show a date or a time, and have no code in the file (ECMA-376, 18.8.30). */
const DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
for (let id = 27; id <= 36; id++) DATE_FORMATS.add(id);
for (let id = 50; id <= 58; id++) DATE_FORMATS.add(id);

/** Excel has at most 65,490. */
const MAX_STYLES = 65_536;

/** Quoted text, escaped characters, and colours or conditions. */
const NO_LETTERS = /"[^"]*"|\\.|\[[^\]]*\]/g;

const SECONDS_A_DAY = 86_400;
/** 9999-12-31, the last day of a workbook. */
const LAST_SERIAL = 2_958_465;
/** Excel counts 29 February 1900, which there was not. */
const NO_SUCH_DAY = 60;
const BEGINNING = Date.UTC(1899, 11, 30);
const BEGINNING_OF_MAC = Date.UTC(1904, 0, 1);
const DAY_MS = SECONDS_A_DAY * 1000;

/** The styles of cells that show a date: a date is a number, and only its style tells. */
export class NumberFormats implements PartListener {
  private readonly dateFormats = new Set(DATE_FORMATS);
  private readonly dateStyles: boolean[] = [];
  private isWithinStyles = false;
  /** Whether the days of the workbook are counted from 1904. */
  countsFrom1904 = false;

  begin(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.dateStyles.length > MAX_STYLES || this.dateFormats.size > MAX_STYLES) throw noWorkbook();
    if (name === 'numFmt') {
      const id = Number(attributes['numFmtId']);
      if (/[ymdhs]/i.test((attributes['formatCode'] ?? '').replaceAll(NO_LETTERS, ''))) this.dateFormats.add(id);
      else this.dateFormats.delete(id);
    } else if (name === 'cellXfs') this.isWithinStyles = true;
    else if (name === 'xf' && this.isWithinStyles)
      this.dateStyles.push(this.dateFormats.has(Number(attributes['numFmtId'])));
  }

  end(name: string): boolean {
    return name === 'cellXfs';
  }

  /** A number as people read it: a date in the form of ISO 8601, and no `4.9E11` for a telephone number. */
  shown(value: string, style: string | undefined): string {
    const number = Number(value);
    if (!Number.isFinite(number)) return value;
    const isDate = this.dateStyles[Number(style ?? 0)] ?? false;
    return (isDate ? this.dateOf(number) : null) ?? String(number);
  }

  private dateOf(serial: number): string | null {
    if (serial < 0 || serial > LAST_SERIAL) return null;
    const days = serial < NO_SUCH_DAY && !this.countsFrom1904 ? serial + 1 : serial;
    const from = this.countsFrom1904 ? BEGINNING_OF_MAC : BEGINNING;
    const text = new Date(from + Math.round((days * DAY_MS) / 1000) * 1000).toISOString();
    if (serial < 1) return text.slice(11, 19);
    return Number.isInteger(serial) ? text.slice(0, 10) : text.slice(0, 19);
  }
}
