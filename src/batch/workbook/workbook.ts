import type { Entry, ZipFile } from 'yauzl';
import { invalidField } from '../../platform/errors/app-error.js';
import { NumberFormats } from './number-formats.js';
import type { PackedFile } from './packed-file.js';
import { StringTable } from './string-table.js';
import { SheetRows } from './sheet-rows.js';
import type { Unpacking } from './unpacking.js';
import { noWorkbook, type Part, type PartListener, readPart } from './workbook-part.js';

const MAX_PARTS = 10_000;
/** Of what the contents say of each part: its name, and what programs add. */
const MAX_ENTRY_BYTES = 2_048;
const MAX_SHEETS = 1_000;

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** In the archive. */
  readonly path: string;
}

interface Relation {
  readonly id: string;
  /** The last part of its URI, which is the same in both namespaces of the standard. */
  readonly kind: string;
  readonly path: string;
}

/** An Excel workbook (ECMA-376): an archive of XML parts that name one another. */
export class Workbook {
  readonly sheets: Sheet[] = [];
  private readonly strings = new StringTable();
  private readonly formats = new NumberFormats();

  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly unpacking: Unpacking,
  ) {}

  /** @throws AppError `invalid_input` for what is no workbook, `body_too_large` for one that was packed to grow */
  static async of(packed: PackedFile, unpacking: Unpacking): Promise<Workbook> {
    const entries = new Map<string, Entry>();
    let zip: ZipFile;
    try {
      zip = await packed.archive();
      if (zip.entryCount > MAX_PARTS) throw noWorkbook();
      for await (const entry of zip.eachEntry()) {
        const { fileNameLength, extraFieldLength, fileCommentLength } = entry;
        if (fileNameLength + extraFieldLength + fileCommentLength > MAX_ENTRY_BYTES) throw noWorkbook();
        entries.set(entry.fileName.toLowerCase(), entry);
      }
    } catch (error) {
      throw noWorkbook(error);
    }
    const workbook = new Workbook(zip, entries, unpacking);
    await workbook.readParts();
    return workbook;
  }

  /** The rows of a sheet that hold anything, in pages. */
  async *rows({ path }: Sheet): AsyncGenerator<string[][]> {
    const sheet = new SheetRows(this.strings, this.formats);
    for await (const _ of readPart(await this.open(path), sheet, this.unpacking)) {
      if (sheet.rows.length === 0) continue;
      yield sheet.rows;
      sheet.rows = [];
    }
  }

  private async readParts(): Promise<void> {
    const main = (await this.relationsOf('')).find(({ kind }) => kind === 'officeDocument');
    if (main === undefined) throw noWorkbook();
    if (!main.path.endsWith('.xml'))
      throw invalidField('body', 'is a binary Excel workbook (.xlsb): save it as .xlsx or as CSV');
    const relations = await this.relationsOf(main.path);
    const pathOf = (kind: string) => relations.find((one) => one.kind === kind)?.path;
    await this.read(main.path, {
      begin: (name, attributes) => {
        if (name === 'workbookPr') this.formats.countsFrom1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
        if (name !== 'sheet') return;
        const id = Object.entries(attributes).find(([key]) => /(^|:)id$/.test(key))?.[1];
        const relation = relations.find((one) => one.id === id);
        // Charts have sheets, too.
        if (relation?.kind !== 'worksheet') return;
        if (this.sheets.length === MAX_SHEETS) throw noWorkbook();
        const isHidden = /hidden/i.test(attributes['state'] ?? '');
        this.sheets.push({ name: attributes['name'] ?? '', isHidden, path: relation.path });
      },
    });
    const styles = pathOf('styles');
    if (styles !== undefined) await this.read(styles, this.formats);
    const strings = pathOf('sharedStrings');
    if (strings !== undefined) await this.read(strings, this.strings);
  }

  /** What a part names; the archive as a whole has an empty path. */
  private async relationsOf(path: string): Promise<Relation[]> {
    const slash = path.lastIndexOf('/') + 1;
    const folder = path.slice(0, slash);
    const relations: Relation[] = [];
    await this.read(`${folder}_rels/${path.slice(slash)}.rels`, {
      begin: (name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) => {
        if (name !== 'Relationship' || mode === 'External') return;
        if (relations.length === MAX_PARTS) throw noWorkbook();
        relations.push({ id, kind: type.slice(type.lastIndexOf('/') + 1), path: resolved(folder, target) });
      },
    });
    return relations;
  }

  private async read(path: string, listener: PartListener): Promise<void> {
    for await (const _ of readPart(await this.open(path), listener, this.unpacking));
  }

  private async open(path: string): Promise<Part> {
    const entry = this.entries.get(path.toLowerCase());
    if (entry === undefined) throw noWorkbook();
    try {
      return { bytes: await this.zip.openReadStreamPromise(entry), crc32: entry.crc32 };
    } catch (error) {
      throw noWorkbook(error);
    }
  }
}

/** The path of a part that another one names: from the root, or from its folder. */
function resolved(folder: string, target: string): string {
  try {
    return decodeURIComponent(new URL(target, `file:///${folder}`).pathname.slice(1));
  } catch (error) {
    throw noWorkbook(error);
  }
}
