import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from } from 'pg-copy-streams';
import type { EntityManager } from 'typeorm';

/** A value in PostgreSQL's binary form; null is NULL. */
export type Cell = Buffer | null;

/** PostgreSQL counts times from 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const NO_MORE_ROWS = int2(-1);
/** The size below which cells are joined, because each piece is a write. */
const LARGE_BYTES = 4_096;

export function int2(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeInt16BE(value);
  return bytes;
}

export function int4(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export function int8(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

export function timestamptz(value: Date): Buffer {
  return int8((value.getTime() - EPOCH_MS) * 1_000);
}

/**
 * Stores rows by `COPY`, in the manager's transaction if it has one. Their bytes go to the socket without a copy. The client
 * copies a statement's values two or three times, and collecting this garbage cost more than all other writing.
 * @param columns `table (column, …)`
 * @param rows must not change until this is done. `text` and `bytea` are bytes as they are
 */
export async function copyIn(tx: EntityManager, columns: string, rows: readonly (readonly Cell[])[]): Promise<void> {
  const runner = tx.queryRunner ?? tx.dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as ClientBase;
    const copy = client.query(from(`COPY ${columns} FROM STDIN (FORMAT binary)`));
    await pipeline(Readable.from(piecesOf(rows)), copy);
  } finally {
    if (runner !== tx.queryRunner) await runner.release();
  }
}

/** https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format". */
function* piecesOf(rows: readonly (readonly Cell[])[]): Generator<Buffer> {
  let small: Buffer[] = [SIGNATURE];
  for (const row of rows) {
    small.push(int2(row.length));
    for (const cell of row) {
      small.push(int4(cell?.length ?? -1));
      if (cell === null) continue;
      if (cell.length < LARGE_BYTES) small.push(cell);
      else {
        yield Buffer.concat(small);
        yield cell;
        small = [];
      }
    }
  }
  yield Buffer.concat([...small, NO_MORE_ROWS]);
}
