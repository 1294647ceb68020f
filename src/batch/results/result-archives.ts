import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { TableBytes } from './result-writers.js';

/** A file in an archive, whose bytes are made when it is its turn. */
export interface ArchivedFile {
  readonly name: string;
  readonly bytes: () => AsyncIterable<Buffer>;
}

const COMPRESSION_LEVEL = 1;

/** A ZIP archive that is made while it is read: a file is begun when the one before it has been sent. */
export function toArchive(files: readonly ArchivedFile[], modified: Date): Readable {
  const archive = new ZipFile();
  const packed = archive.outputStream as Readable;
  let open: Readable | null = null;
  for (const { name, bytes } of files)
    archive.addReadStreamLazy(name, { mtime: modified, compressionLevel: COMPRESSION_LEVEL }, (begin) => {
      open = Readable.from(bytes(), { objectMode: false });
      begin(null, open);
    });
  archive.on('error', (error: Error) => packed.destroy(error));
  // A reader who goes away ends the file that is being made, which holds a place at the database.
  packed.once('close', () => open?.destroy());
  archive.end();
  return packed;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
/** What a workbook is made of beside its sheet. */
const PARTS = [
  [
    '[Content_Types].xml',
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Results" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ],
] as const;

const PIECE_CHARACTERS = 65_536;
/** What Excel opens (ECMA-376, 18.4.12). */
const MAX_CELL_CHARACTERS = 32_767;
/** XML 1.0 has no way to write these. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** The rows of a sheet of a workbook. A text is no formula there, whatever it begins with. */
export class SheetBytes implements TableBytes {
  private text = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
  private cells = '';
  private full: Buffer[] = [];

  cell(value: unknown): void {
    if (typeof value === 'number') this.cells += `<c><v>${value}</v></c>`;
    else if (typeof value === 'boolean') this.cells += `<c t="b"><v>${Number(value)}</v></c>`;
    else this.sentCell(typeof value === 'string' ? value : '');
  }

  sentCell(text: string): void {
    const written = text.slice(0, MAX_CELL_CHARACTERS).replaceAll(NOT_IN_XML, '\uFFFD');
    const escaped = written.replaceAll(/[&<>\r]/g, (letter) => ESCAPED[letter]!);
    this.cells += escaped === '' ? '<c/>' : `<c t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`;
  }

  endLine(): void {
    this.text += `<row>${this.cells}</row>`;
    this.cells = '';
    if (this.text.length < PIECE_CHARACTERS) return;
    this.full.push(Buffer.from(this.text));
    this.text = '';
  }

  takeFull(): readonly Buffer[] {
    return this.full.splice(0);
  }

  takeRest(): Buffer {
    return Buffer.from(`${this.text}</sheetData></worksheet>`);
  }
}

/** A workbook (ECMA-376) of one sheet. */
export function toWorkbook(rows: () => AsyncIterable<Buffer>, modified: Date): Readable {
  const parts = PARTS.map(([name, text]) => ({ name, bytes: () => Readable.from([Buffer.from(XML + text)]) }));
  return toArchive([...parts, { name: 'xl/worksheets/sheet1.xml', bytes: rows }], modified);
}
