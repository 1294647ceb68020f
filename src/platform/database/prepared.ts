import type pg from 'pg';
import type { EntityManager } from 'typeorm';

/** TypeORM's driver for PostgreSQL, as its own runners ask it. */
interface Connections {
  obtainMasterConnection(): Promise<[client: pg.ClientBase, release: () => void]>;
}

/** Runs the statement, in the manager's transaction if it has one. */
type PreparedStatement<Row> = (tx: EntityManager, ...values: unknown[]) => Promise<Row[]>;

/**
 * A statement that PostgreSQL parses and plans once a connection instead of every time, which is most of the cost of a statement
 * that locks, decides and writes at once.
 * @param name unique in the process
 */
export function definePrepared<Row = unknown>(name: string, text: string): PreparedStatement<Row> {
  return async (tx, ...values) => {
    if (tx.queryRunner !== undefined) {
      const { rows } = await ((await tx.queryRunner.connect()) as pg.ClientBase).query({ name, text, values });
      return rows as Row[];
    }
    // A runner of TypeORM for one statement would cost as much as the statement.
    const [client, release] = await (tx.dataSource.driver as unknown as Connections).obtainMasterConnection();
    // Without a listener the end of its connection would end the process; the statement is told, too.
    client.on('error', tellNobody);
    try {
      const { rows } = await client.query({ name, text, values });
      return rows as Row[];
    } finally {
      client.off('error', tellNobody);
      release();
    }
  };
}

function tellNobody(): void {}
