import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.js';

/** Any number that nobody else locks; "mailsonde" on a telephone's keys. */
const MIGRATION_LOCK = 624_576_633;

/**
 * Applies the migrations that are missing, each in its own transaction. Several processes may call it at once: one works,
 * the others wait for it and find nothing left.
 * @returns how many were applied.
 */
export async function runMigrations(url: string, log: (line: string) => void): Promise<number> {
  // Rewriting a large table may take minutes, and so may waiting for the process that does it: no statement timeout.
  const dataSource = await createDataSource(url, { applicationName: 'mailsonde migrate', statementTimeoutMs: 0 });
  try {
    return await withLock(dataSource, async () => {
      const applied = await dataSource.runMigrations();
      for (const migration of applied) log(`Migration applied: ${migration.name}`);
      return applied.length;
    });
  } finally {
    await dataSource.destroy();
  }
}

async function withLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  // The lock belongs to the session, so it stays on this connection and falls with it when the process dies.
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      return await work();
    } finally {
      await runner.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    await runner.release();
  }
}
