import { open, rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import type { AccountClient } from '../../client/client.js';
import { print } from '../terminal/print.js';
import type { Interruption } from '../terminal/run-server-command.js';

export const OUTPUTS = ['csv', 'json', 'ndjson'] as const;
export type Output = (typeof OUTPUTS)[number];

export interface OutputOptions {
  readonly output?: Output;
  readonly to?: string;
  readonly verdict?: string;
  readonly reason?: string;
  readonly fields?: string;
}

/** @param fallback what holds where nothing was asked for */
export function formatOf<T>({ output, to }: OutputOptions, fallback: T): Output | T {
  if (output !== undefined) return output;
  if (to === undefined) return fallback;
  const ending = extname(to).slice(1).toLowerCase();
  return OUTPUTS.find((one) => one === ending) ?? 'csv';
}

/** Writes results to standard output, or to a file that has its name once it is whole. */
export async function writeResults(
  client: AccountClient,
  id: number,
  options: OutputOptions,
  interruption: Interruption,
): Promise<void> {
  const { to } = options;
  const pieces = resultPieces(client, id, options, interruption.signal);
  interruption.standing = `The results of batch ${id} did not come whole: "mailsonde batch results ${id}" gets them again.`;
  if (to === undefined) return write(pieces, print, interruption);
  const partial = `${to}.partial`;
  const file = await open(partial, 'w');
  try {
    await write(pieces, (piece) => file.appendFile(piece), interruption);
    await file.close();
    await rename(partial, to);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

async function* resultPieces(
  client: AccountClient,
  id: number,
  options: OutputOptions,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array | string, void, void> {
  const { verdict, reason, fields } = options;
  const format = formatOf(options, 'csv' as const);
  const chosen = { ...(verdict !== undefined && { verdict }), ...(reason !== undefined && { reason }) };
  if (format !== 'json') {
    const file = await client.downloadResults(
      id,
      { ...chosen, format, ...(format === 'csv' && { fields }) },
      { signal },
    );
    if (file.body !== null) yield* file.body as unknown as AsyncIterable<Uint8Array>;
    return;
  }
  let before = '[\n';
  for await (const row of client.results(id, { ...chosen, limit: 10_000 }, { signal })) {
    yield before + JSON.stringify(row);
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function write(
  pieces: AsyncIterable<Uint8Array | string>,
  writePiece: (piece: Uint8Array | string) => Promise<void>,
  interruption: Interruption,
): Promise<void> {
  const { standing } = interruption;
  let bytes = 0;
  for await (const piece of pieces) {
    await writePiece(piece);
    bytes += piece.length;
    interruption.standing = `${Math.ceil(bytes / 1_024)} KB had come. ${standing}`;
  }
}
