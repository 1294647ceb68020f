import type { ClientBase, Connection, Submittable } from 'pg';
import type { EntityManager } from 'typeorm';

/** A value in PostgreSQL's binary form; null is NULL. */
export type Cell = Buffer | null;

/** PostgreSQL counts from 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const NO_MORE_ROWS = int2(-1);
const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);

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
 * Stores rows by `COPY`, in the manager's transaction if it has one. Their bytes go to the socket as they are, where a statement's values
 * are copied two or three times: a megabyte of them is three of garbage, and its collection cost more than all other writing.
 * @param columns `table (column, …)`
 * @param rows must not change until this is done. `text` and `bytea` are bytes as they are
 */
export async function copyIn(tx: EntityManager, columns: string, rows: readonly (readonly Cell[])[]): Promise<void> {
  const runner = tx.queryRunner ?? tx.dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as ClientBase;
    await new Promise<void>((resolve, reject) => {
      const end = (error: Error | null) => (error === null ? resolve() : reject(error));
      client.query(new CopyIn(`COPY ${columns} FROM STDIN (FORMAT binary)`, rows, end));
    });
  } finally {
    if (runner !== tx.queryRunner) await runner.release();
  }
}

/** What the client is told while the statement runs (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY). */
class CopyIn implements Submittable {
  constructor(
    private readonly text: string,
    private readonly rows: readonly (readonly Cell[])[],
    private readonly end: (error: Error | null) => void,
  ) {}

  submit(connection: Connection): void {
    connection.query(this.text);
  }

  handleCopyInResponse({ stream }: Connection): void {
    const pieces = [SIGNATURE, ...this.rows.flatMap(piecesOf), NO_MORE_ROWS];
    const length = pieces.reduce((sum, piece) => sum + piece.length, 4);
    stream.cork();
    for (const piece of [Buffer.from([COPY_DATA]), int4(length), ...pieces, COPY_DONE]) stream.write(piece);
    stream.uncork();
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.end(null);
  }

  handleError(error: Error): void {
    this.end(error);
  }
}

function piecesOf(row: readonly Cell[]): Buffer[] {
  const cells = row.flatMap((cell) => (cell === null ? [int4(-1)] : [int4(cell.length), cell]));
  return [int2(row.length), ...cells];
}
