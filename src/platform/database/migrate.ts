import { type DataSource, MigrationExecutor, type MigrationInterface, QueryFailedError } from 'typeorm';
import { ConfigurationError } from '../config/configuration-error.js';
import { ServerAwayError } from '../errors/outage.js';
import { createDataSource } from './data-source.js';

/** The key of the advisory lock: any number that no other program locks, here "mailsonde" on a telephone's keys. */
const MIGRATION_LOCK = 624_576_633;

/**
 * The time that a migration waits for a table that somebody uses. Whoever comes after it waits behind it, so it gives up soon, changes
 * nothing and is begun again by whoever ran it.
 */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * A migration of a released version. `expand` only adds what the version before does not notice, so it may run beside that one; `contract`
 * takes away what no version uses any more that still runs.
 */
export interface PhasedMigration extends MigrationInterface {
  readonly phase: 'expand' | 'contract';
}

/** `first`: it made tables of an empty database. */
export interface MigrationStep {
  readonly name: string;
  readonly phase: 'first' | PhasedMigration['phase'];
}

interface MigrationPlan {
  readonly applied: readonly MigrationStep[];
  readonly pending: readonly MigrationStep[];
  /** Of a newer version: this one knows nothing of them. */
  readonly unknown: readonly string[];
  /** Of the whole database, which says what reading a table may take. */
  readonly bytes: number;
}

const LOCK_NOT_AVAILABLE = '55P03';

type MigrationClass = new () => MigrationInterface;

/**
 * Applies the migrations that are missing, each in its own transaction. Several processes may call it at once: one works,
 * the others wait for it and find nothing left.
 * @param later migrations of a later version
 * @returns how many were applied.
 * @throws ConfigurationError when an earlier development version made the database, ServerAwayError when a table is in use
 */
export async function runMigrations(
  url: string,
  log: (line: string) => void,
  later: readonly MigrationClass[] = [],
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): Promise<number> {
  const migrate = (dataSource: DataSource): Promise<number> =>
    withLock(dataSource, log, async () => {
      await checkOrigin(dataSource);
      const applied = await dataSource.runMigrations();
      for (const migration of applied) log(`Migration applied: ${migration.name}`);
      return applied.length;
    });
  return connected(url, later, migrate, lockTimeoutMs);
}

/** Tells what `runMigrations` would do, and changes nothing. */
export async function planMigrations(url: string, later: readonly MigrationClass[] = []): Promise<MigrationPlan> {
  return connected(url, later, async (dataSource) => {
    const [table]: [{ there: boolean }] = await dataSource.query(
      `SELECT to_regclass('migrations') IS NOT NULL AS there`,
    );
    const done = table.there
      ? (await new MigrationExecutor(dataSource).getExecutedMigrations()).map(({ name }) => name).reverse()
      : [];
    const steps = dataSource.migrations.map(stepOf);
    const [{ bytes }]: [{ bytes: number }] = await dataSource.query(
      'SELECT pg_database_size(current_database()) AS bytes',
    );
    return {
      bytes,
      applied: steps.filter(({ name }) => done.includes(name)),
      pending: steps.filter(({ name }) => !done.includes(name)),
      unknown: done.filter((name) => !steps.some((step) => step.name === name)),
    };
  });
}

/**
 * Rolls back the migration that was applied last.
 * @returns its name
 * @throws ConfigurationError when this version cannot, or it would delete tables
 */
export async function undoMigration(
  url: string,
  log: (line: string) => void,
  later: readonly MigrationClass[] = [],
): Promise<string> {
  return connected(url, later, (dataSource) =>
    withLock(dataSource, log, async () => {
      const [last] = await new MigrationExecutor(dataSource).getExecutedMigrations();
      const known = dataSource.migrations.map(stepOf).find(({ name }) => name === last?.name);
      const database = String(dataSource.driver.database);
      if (known === undefined)
        throw new ConfigurationError(
          'The database',
          database,
          'one whose last migration this version has, but it has not',
        );
      if (known.phase === 'first')
        throw new ConfigurationError(
          'The database',
          database,
          `one with a migration after the first ones; ${known.name} made tables, which hold data, so it is not rolled back`,
        );
      await dataSource.undoLastMigration();
      return known.name;
    }),
  );
}

function stepOf(migration: MigrationInterface): MigrationStep {
  return { name: migration.constructor.name, phase: (migration as Partial<PhasedMigration>).phase ?? 'first' };
}

async function connected<T>(
  url: string,
  later: readonly MigrationClass[],
  work: (dataSource: DataSource) => Promise<T>,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): Promise<T> {
  // There is no statement timeout, because rewriting a large table may take minutes, and so may the wait for the process that
  // does it.
  const dataSource = await createDataSource(url, {
    applicationName: 'mailsonde migrate',
    statementTimeoutMs: 0,
    lockTimeoutMs,
  });
  dataSource.migrations.push(...later.map((migration) => new migration()));
  try {
    return await work(dataSource);
  } catch (error) {
    if (!(error instanceof QueryFailedError) || (error.driverError as { code?: string }).code !== LOCK_NOT_AVAILABLE)
      throw error;
    throw new ServerAwayError(
      `A table was in use for ${lockTimeoutMs / 1_000} s: the migration has changed nothing, and may be tried again.`,
    );
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

async function withLock<T>(dataSource: DataSource, log: (line: string) => void, work: () => Promise<T>): Promise<T> {
  // The lock belongs to the session, so it stays on this connection and falls with it when the process dies.
  const runner = dataSource.createQueryRunner();
  try {
    // For this lock alone it waits as long as another process migrates.
    await runner.query('SET lock_timeout = 0');
    const [lock]: [{ taken: boolean }] = await runner.query('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ]);
    if (!lock.taken) {
      log('Another process migrates: waiting for it.');
      await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    }
    try {
      return await work();
    } finally {
      await runner.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    await runner.release();
  }
}
