import { open, rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import type { AccountClient } from '../../client/client.js';
import { REASONS, type Verdict } from '../../engine/types.js';
import { print, printable } from '../terminal/print.js';
import type { Interruption } from '../terminal/run-server-command.js';

export const OUTPUTS = ['table', 'csv', 'json', 'ndjson'] as const;
export type Output = (typeof OUTPUTS)[number];
/** What results may be beside: archives, which go to a file alone. */
export const ARCHIVES = ['xlsx', 'zip'] as const;
type Archive = (typeof ARCHIVES)[number];

/** Agents are told a `result` where accounts have a `verdict`. */
export interface VerdictRow {
  readonly email: string;
  readonly verdict?: Verdict;
  readonly result?: Verdict;
  readonly reason: string;
}

const VERDICT_WIDTH = 'verdict'.length;
const REASON_WIDTH = Math.max(...Object.values(REASONS).flatMap((reasons) => reasons.map(({ length }) => length)));
const rowOf = (verdict: string, reason: string, email: string) =>
  `${verdict.padEnd(VERDICT_WIDTH)}  ${reason.padEnd(REASON_WIDTH)}  ${email}\n`;

/** Rows come one by one, so the address, whose width nobody knows beforehand, stands last. */
export const VERDICT_TABLE = {
  head: rowOf('verdict', 'reason', 'email'),
  row: ({ email, verdict, result, reason }: VerdictRow) => rowOf((verdict ?? result)!, reason, printable(email)),
  tail: '',
};

export interface OutputOptions {
  readonly output?: Output | Archive;
  readonly to?: string;
  readonly verdict?: string;
  readonly reason?: string;
  readonly fields?: string;
}

/** @param fallback what holds where nothing was asked for */
export function formatOf<T>({ output, to }: OutputOptions, fallback: T): Output | Archive | T {
  if (output !== undefined) return output;
  if (to === undefined) return fallback;
  const ending = extname(to).slice(1).toLowerCase();
  return [...OUTPUTS, ...ARCHIVES].find((one) => one === ending) ?? 'csv';
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
  if (format !== 'table' && format !== 'json') {
    const file = await client.downloadResults(
      id,
      { ...chosen, format, ...(format !== 'ndjson' && { fields }) },
      { signal },
    );
    if (file.body !== null) yield* file.body as unknown as AsyncIterable<Uint8Array>;
    return;
  }
  const rows = client.results(id, { ...chosen, limit: 10_000 }, { signal });
  if (format === 'table') {
    yield VERDICT_TABLE.head;
    for await (const row of rows) yield VERDICT_TABLE.row(row);
    return;
  }
  let before = '[\n';
  for await (const row of rows) {
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
