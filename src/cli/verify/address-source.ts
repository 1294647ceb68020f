import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import type { CsvTable, TableSettings } from './csv-table.js';
import { UnreadableInput } from '../terminal/exit-codes.js';
import type { VerifyArguments } from './verify-arguments.js';

/** No address is this long: a longer line is cut, so it is judged malformed and never held whole. */
const LONGEST_LINE = 4_096;

export interface AddressSource {
  readonly addresses: AsyncIterable<string> | Iterable<string>;
  /** Null when it is not known beforehand. */
  readonly total: number | null;
  /** Of a CSV: its own columns, which come back. */
  readonly table: CsvTable | null;
}

/**
 * @param counted whether the total is worth reading a file twice
 * @throws UnreadableInput at once for a file that cannot be opened, while reading for one that fails later
 */
export async function openAddressSource(
  { source, ...settings }: Pick<VerifyArguments, 'source' | keyof TableSettings>,
  counted: boolean,
): Promise<AddressSource> {
  if (source.kind === 'given') return { addresses: source.addresses, total: source.addresses.length, table: null };
  if (source.kind === 'stdin')
    return { addresses: readable(addressLines(process.stdin.setEncoding('utf8'))), total: null, table: null };
  const lines = () => readable(addressLines(createReadStream(source.path, 'utf8')));
  await access(source.path, constants.R_OK).catch(unreadable);
  const ending = /\.(csv|tsv|xlsx|xlsm)$/i.exec(source.path)?.[1];
  if (ending !== undefined) {
    const { readCsvTable, readWorkbookTable } = await import('./csv-table.js');
    const { addresses, table } = await (/^xls/i.test(ending)
      ? readWorkbookTable(createReadStream(source.path) as AsyncIterable<Buffer>, settings)
      : readCsvTable(createReadStream(source.path, 'utf8') as AsyncIterable<string>, settings));
    return { addresses: readable(addresses), total: null, table };
  }
  return { addresses: lines(), total: counted ? await count(lines()) : null, table: null };
}

async function* readable(lines: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  try {
    yield* lines;
  } catch (error) {
    unreadable(error);
  }
}

function unreadable(error: unknown): never {
  throw new UnreadableInput(`The addresses cannot be read: ${(error as Error).message}`);
}

async function count(lines: AsyncIterable<string>): Promise<number> {
  let total = 0;
  for await (const _ of lines) total += 1;
  return total;
}

/** The lines of a text that comes in pieces, trimmed, without empty ones and without a byte order mark. */
export async function* addressLines(pieces: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let partial = '';
  let first = true;
  for await (const piece of pieces) {
    const lines = (first ? piece.replace(/^\uFEFF/, '') : piece).split('\n');
    first = false;
    for (let at = 0; at < lines.length; at += 1) {
      const line = partial + lines[at]!.slice(0, LONGEST_LINE - partial.length);
      if (at === lines.length - 1) partial = line;
      else {
        partial = '';
        const address = line.trim();
        if (address !== '') yield address;
      }
    }
  }
  const address = partial.trim();
  if (address !== '') yield address;
}
