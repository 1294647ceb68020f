import { type DataSource, MigrationExecutor } from 'typeorm';
import { ConfigurationError } from '../config/configuration-error.js';
import { createDataSource } from './data-source.js';

/** The key of the advisory lock: any number that no other program locks, here "mailsonde" on a telephone's keys. */
const MIGRATION_LOCK = 624_576_633;

/**
 * Applies the migrations that are missing, each in its own transaction. Several processes may call it at once: one works,
 * the others wait for it and find nothing left.
 * @returns how many were applied.
 * @throws ConfigurationError when an earlier development version made the database
 */
export async function runMigrations(url: string, log: (line: string) => void): Promise<number> {
  // There is no statement timeout, because rewriting a large table may take minutes, and so may the wait for the process that
  // does it.
  const dataSource = await createDataSource(url, { applicationName: 'mailsonde migrate', statementTimeoutMs: 0 });
  try {
    return await withLock(dataSource, async () => {
      await checkOrigin(dataSource);
      const applied = await dataSource.runMigrations();
      for (const migration of applied) log(`Migration applied: ${migration.name}`);
      return applied.length;
    });
  } finally {
    await dataSource.destroy();
  }
}

/** Development versions had other migrations, which made the same tables: ours would fail on the first of them. */
async function checkOrigin(dataSource: DataSource): Promise<void> {
  const applied = await new MigrationExecutor(dataSource).getExecutedMigrations();
  const first = applied.at(-1); // The newest comes first.
  if (first === undefined || dataSource.migrations.some(({ constructor }) => constructor.name === first.name)) return;
  throw new ConfigurationError(
    'The database',
    String(dataSource.driver.database),
    'an empty one or one of this version, but an earlier development version made this one: empty it or, where it is embedded, remove the data directory (DATA_DIR)',
  );
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
