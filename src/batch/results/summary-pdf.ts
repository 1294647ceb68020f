import type { BatchSummary, CountsByVerdict } from './batch-summary.service.js';
import type { Verdict } from '../model/chunk-result.js';

const MEANINGS: Readonly<Record<Verdict, string>> = {
  valid: 'Send to these.',
  risky: 'Decide about these: some of them may bounce.',
  invalid: 'Leave these out: mail to them would bounce.',
  unknown: 'Not checked, and free. Check them again later.',
};
const COLOURS: Readonly<Record<Verdict, string>> = {
  valid: '0.09 0.53 0.28',
  risky: '0.78 0.5 0.05',
  invalid: '0.78 0.16 0.16',
  unknown: '0.45 0.47 0.5',
};
const BLACK = '0.1 0.12 0.15';
const GREY = '0.42 0.45 0.5';
/** A4, in points. */
const [WIDTH, HEIGHT, MARGIN] = [595, 842, 56];
const BAR_WIDTH = WIDTH - 2 * MARGIN;
const MAX_NAME = 60;
const MAX_TABLE_ROWS = 8;
/** Of a digit in Helvetica, in sizes of the font: all have one width, and those beside them in a number are half as wide. */
const DIGIT_WIDTH = 0.556;
const MARK_WIDTH = 0.278;

/** What the file tells of a list. */
export interface SummaryOfList {
  readonly title: string;
  readonly finishedAt: Date;
  readonly counts: CountsByVerdict;
  readonly summary: BatchSummary;
}

/**
 * One page (PDF 1.4) of what a list came to. It is written by hand: a library for it brings 20 packages that embed fonts, while every
 * reader has Helvetica, which is all that a page of figures needs. Letters that Windows-1252 lacks are question marks.
 */
export function summaryPdf({ title, finishedAt, counts, summary }: SummaryOfList): Buffer {
  const page = new Page();
  page.text(MARGIN, 24, shortened(title), { isBold: true, down: 24 });
  const day = finishedAt.toISOString().slice(0, 10);
  page.text(MARGIN, 10, `${number(summary.rows)} rows, verified by ${day}`, { colour: GREY, down: 18 });
  page.down(24);
  let left = MARGIN;
  const verdicts = (Object.keys(MEANINGS) as Verdict[]).filter((verdict) => counts[verdict] > 0);
  for (const verdict of verdicts) {
    const width = (BAR_WIDTH * counts[verdict]) / summary.rows;
    page.bar(left, width, 12, COLOURS[verdict]);
    left += width;
  }
  page.down(8);
  for (const verdict of verdicts) {
    page.text(MARGIN, 12, verdict, { isBold: true, colour: COLOURS[verdict], down: 22 });
    page.number(MARGIN + 130, 12, number(counts[verdict]));
    page.number(MARGIN + 185, 12, shareOf(counts[verdict], summary.rows));
    page.text(MARGIN + 205, 10, MEANINGS[verdict], { colour: GREY });
  }
  const tables = [
    ['Reasons', summary.reasons.map(({ reason, rows }) => [reason.replaceAll('_', ' '), rows])],
    ['Mail operators', summary.providers.map(({ provider, rows }) => [provider ?? 'others', rows])],
    ['Domains', summary.domains.map(({ domain, rows }) => [domain, rows])],
  ] as const;
  for (const [name, rows] of tables) {
    if (rows.length === 0) continue;
    page.text(MARGIN, 12, name, { isBold: true, down: 32 });
    for (const [label, of] of rows.slice(0, MAX_TABLE_ROWS) as [string, number][]) {
      page.text(MARGIN, 10, shortened(label), { down: 15 });
      page.number(WIDTH - MARGIN - 60, 10, number(of));
      page.number(WIDTH - MARGIN, 10, shareOf(of, summary.rows));
    }
  }
  return page.toPdf(shortened(title));
}

const number = (of: number): string => of.toLocaleString('en-US');
const shareOf = (rows: number, all: number): string => `${((100 * rows) / all).toFixed(1)}%`;
const shortened = (text: string): string => (text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 3)}...` : text);

interface Style {
  readonly isBold?: boolean;
  readonly colour?: string;
  /** How far below the line before it stands; 0 by default. */
  readonly down?: number;
}

/** A page that is written from its top. */
class Page {
  private y = HEIGHT - MARGIN;
  private drawn = '';

  down(points: number): void {
    this.y -= points;
  }

  text(x: number, size: number, text: string, { isBold = false, colour = BLACK, down = 0 }: Style = {}): void {
    this.y -= down;
    this.drawn += `BT ${colour} rg /${isBold ? 'B' : 'R'} ${size} Tf ${x.toFixed(1)} ${this.y} Td (${literal(text)}) Tj ET\n`;
  }

  /** @param right where it ends */
  number(right: number, size: number, text: string): void {
    let width = 0;
    for (const letter of text) width += letter === '%' ? 0.889 : /\d/.test(letter) ? DIGIT_WIDTH : MARK_WIDTH;
    this.text(right - width * size, size, text);
  }

  bar(x: number, width: number, height: number, colour: string): void {
    this.drawn += `${colour} rg ${x.toFixed(2)} ${this.y} ${width.toFixed(2)} ${height} re f\n`;
  }

  toPdf(title: string): Buffer {
    const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents 4 0 R /Resources << /Font << /R 5 0 R /B 6 0 R >> >> >>`,
      `<< /Length ${this.drawn.length} >>\nstream\n${this.drawn}endstream`,
      font('Helvetica'),
      font('Helvetica-Bold'),
      `<< /Title (${literal(title)}) >>`,
    ];
    let pdf = '%PDF-1.4\n';
    const offsets = objects.map((object, i) => {
      const offset = pdf.length;
      pdf += `${i + 1} 0 obj\n${object}\nendobj\n`;
      return `${String(offset).padStart(10, '0')} 00000 n \n`;
    });
    const size = objects.length + 1;
    const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
    const end = `trailer\n<< /Size ${size} /Root 1 0 R /Info 7 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
    return Buffer.from(pdf + table + end, 'latin1');
  }
}

/** Letters of Windows-1252 that Latin 1 has not. */
const WINDOWS_1252 = new TextDecoder('windows-1252');
const CODES = new Map(
  Array.from({ length: 224 }, (_none, i) => [WINDOWS_1252.decode(Uint8Array.of(i + 32)), String.fromCharCode(i + 32)]),
);

/** A text between parentheses, a byte a letter. */
function literal(text: string): string {
  const letters = Array.from(text.normalize('NFC'), (letter) => CODES.get(letter) ?? '?');
  return letters.join('').replaceAll(/[\\()]/g, '\\$&');
}
