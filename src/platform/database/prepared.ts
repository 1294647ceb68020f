import type { ClientBase } from 'pg';
import type { EntityManager } from 'typeorm';

/** Runs the statement, in the manager's transaction if it has one. */
export type PreparedStatement<Row> = (tx: EntityManager, ...values: unknown[]) => Promise<Row[]>;

/**
 * A statement that PostgreSQL parses and plans once a connection instead of every time, which is most of the cost of a statement
 * that locks, decides and writes at once.
 * @param name unique in the process
 */
export function definePrepared<Row = unknown>(name: string, text: string): PreparedStatement<Row> {
  return async (tx, ...values) => {
    const runner = tx.queryRunner ?? tx.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as ClientBase;
      const { rows } = await client.query({ name, text, values });
      return rows as Row[];
    } finally {
      if (runner !== tx.queryRunner) await runner.release();
    }
  };
}
