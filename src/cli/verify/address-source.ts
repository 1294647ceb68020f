import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { addressLines } from './address-lines.js';
import type { VerifyArguments } from './verify-arguments.js';

export interface AddressSource {
  readonly addresses: AsyncIterable<string> | Iterable<string>;
  /** Null when it is not known beforehand. */
  readonly total: number | null;
}

/** The input cannot be read; the message is for the person who named it. */
export class UnreadableInput extends Error {}

/**
 * @param counted whether the total is worth reading a file twice
 * @throws UnreadableInput at once for a file that cannot be opened, while reading for one that fails later
 */
export async function openAddressSource(source: VerifyArguments['source'], counted: boolean): Promise<AddressSource> {
  if (source.kind === 'given') return { addresses: source.addresses, total: source.addresses.length };
  if (source.kind === 'stdin')
    return { addresses: readable(addressLines(process.stdin.setEncoding('utf8'))), total: null };
  const lines = () => readable(addressLines(createReadStream(source.path, 'utf8')));
  await access(source.path, constants.R_OK).catch(unreadable);
  return { addresses: lines(), total: counted ? await count(lines()) : null };
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
