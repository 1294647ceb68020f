import { zipOf } from './zip.js';

/** A text, a number, a truth value; nothing; or a cell as it stands in the file. */
export type WrittenCell = string | number | boolean | null | { readonly xml: string };

export interface WrittenSheet {
  readonly name?: string;
  readonly state?: 'hidden' | 'veryHidden';
  readonly rows: readonly (readonly WrittenCell[])[];
  /** Behind the rows, such as merged cells. */
  readonly after?: string;
}

export interface WrittenWorkbook {
  readonly sheets: readonly WrittenSheet[];
  /** Texts stand in the cells, as some programs write them; else all are shared, as Excel does. */
  readonly isInline?: boolean;
  /** Attributes of `workbookPr`. */
  readonly properties?: string;
  readonly styles?: string;
  /** Parts in place of those that would be written; null: without it. */
  readonly parts?: Readonly<Record<string, string | Buffer | null>>;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** An Excel workbook (ECMA-376) in the form in which Excel writes it. */
export function workbookOf(written: WrittenWorkbook): Buffer {
  const parts = new Map<string, string | Buffer>(partsOf(written));
  for (const [name, part] of Object.entries(written.parts ?? {}))
    if (part === null) parts.delete(name);
    else parts.set(name, part);
  return zipOf([...parts].map(([name, part]) => [name, Buffer.from(part)] as const));
}

/** Its parts by their names, without those that the test gives itself. */
export function partsOf({ sheets, isInline = false, properties = '', styles }: WrittenWorkbook): Map<string, string> {
  const strings: string[] = [];
  const numbers = new Map<string, number>();
  const shared = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, strings.length);
    return strings.push(`<si><t xml:space="preserve">${escaped(text)}</t></si>`) - 1;
  };
  const cellOf = (cell: WrittenCell, reference: string): string => {
    if (cell === null) return '';
    if (typeof cell === 'object') return cell.xml.replace('<c', `<c r="${reference}"`);
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
    if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${Number(cell)}</v></c>`;
    if (isInline) return `<c r="${reference}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
    return `<c r="${reference}" t="s"><v>${shared(cell)}</v></c>`;
  };
  const sheetOf = ({ rows, after = '' }: WrittenSheet): string => {
    const written = rows.map(
      (row, i) => `<row r="${i + 1}">${row.map((cell, j) => cellOf(cell, `${lettersOf(j)}${i + 1}`)).join('')}</row>`,
    );
    return `${HEAD}<worksheet ${MAIN}><dimension ref="A1"/><sheetData>${written.join('')}</sheetData>${after}</worksheet>`;
  };
  const named = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${escaped(name ?? `Sheet${i + 1}`)}" sheetId="${i + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${i + 1}"/>`,
  );
  const relations = [
    ...sheets.map((_, i) => relation(`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`)),
    relation('rIdStyles', 'styles', 'styles.xml'),
    relation('rIdStrings', 'sharedStrings', 'sharedStrings.xml'),
  ];
  const parts = new Map<string, string>([
    [
      '[Content_Types].xml',
      `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    ],
    ['_rels/.rels', relationsOf([relation('rId1', 'officeDocument', 'xl/workbook.xml')])],
    [
      'xl/workbook.xml',
      `${HEAD}<workbook ${MAIN} xmlns:r="${RELATIONS}"><workbookPr ${properties}/><sheets>${named.join('')}</sheets></workbook>`,
    ],
    ['xl/_rels/workbook.xml.rels', relationsOf(relations)],
    ...sheets.map((sheet, i): [string, string] => [`xl/worksheets/sheet${i + 1}.xml`, sheetOf(sheet)]),
    ['xl/styles.xml', `${HEAD}<styleSheet ${MAIN}>${styles ?? '<cellXfs><xf numFmtId="0"/></cellXfs>'}</styleSheet>`],
  ]);
  // As Excel does: the texts come last, when the sheets have been written.
  parts.set('xl/sharedStrings.xml', `${HEAD}<sst ${MAIN}>${strings.join('')}</sst>`);
  return parts;
}

const relationsOf = (relations: readonly string[]): string =>
  `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`;

const relation = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Of the column from 0: `A`, `Z`, `AA`. */
function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last;
}
