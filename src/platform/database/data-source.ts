import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { DataSource, DefaultNamingStrategy, type Table } from 'typeorm';
import { AnsweringPool } from './answering-pool.js';
import { snakeCase } from '../../lib/snake-case.js';

export interface DatabaseOptions {
  /** The name of the connection in `pg_stat_activity`. */
  readonly applicationName?: string;
  readonly connectTimeoutMs?: number;
  /** Connections at most. */
  readonly poolSize?: number;
  /**
   * PostgreSQL cancels a statement that runs longer, and the pool closes a connection that does not even report that; 0 for no
   * limit.
   */
  readonly statementTimeoutMs?: number;
  /** A statement that waits longer for a lock fails; 0, the default, for no limit. */
  readonly lockTimeoutMs?: number;
}

/** Connections of a process that serves. */
export const POOL_SIZE = 10;

/** The time that PostgreSQL needs to report its own timeout. */
const SILENCE_BEYOND_TIMEOUT_MS = 500;

/**
 * A connected DataSource that knows every entity and every migration. The caller destroys it.
 * @param url `postgres://user:password@host:port/database`
 */
export async function createDataSource(url: string, options: DatabaseOptions = {}): Promise<DataSource> {
  const {
    applicationName = 'mailsonde',
    poolSize = POOL_SIZE,
    statementTimeoutMs = 15_000,
    lockTimeoutMs = 0,
    connectTimeoutMs = 5_000,
  } = options;
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    entities: await loadEntities(),
    namingStrategy: new NamingStrategy(),
    // `gen_random_uuid()` is PostgreSQL's own since 13: the migrations make the schema, and no extension is needed for it.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    migrations: await loadMigrations(),
    migrationsTransactionMode: 'each',
    applicationName,
    poolSize,
    connectTimeoutMS: connectTimeoutMs,
    driver: { ...pg, Pool: AnsweringPool },
    extra: {
      statementTimeoutMs,
      lockTimeoutMs,
      silenceMs: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + SILENCE_BEYOND_TIMEOUT_MS,
      keepAlive: true,
      types: columnTypes(),
    },
  });
  return dataSource.initialize();
}

/**
 * How values of PostgreSQL arrive: `int8` (ids, counts, credits) as a number, because none of ours is beyond 2^53 and arithmetic
 * on strings goes wrong silently; a larger one is refused; `date` as `YYYY-MM-DD`, because a day has no time zone and a `Date`
 * would give it one; `numeric` stays text; `timestamptz` is a `Date`.
 */
function columnTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, toSafeInteger);
  types.setTypeParser(INT8_ARRAY, toSafeIntegers);
  types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);
  return types;
}

const INT8_ARRAY = 1016;

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The database holds an integer beyond 2^53: ${text}`);
  return value;
}

/** Parses an array of one dimension, such as `{1,NULL,3}`. */
function toSafeIntegers(text: string): (number | null)[] {
  if (text === '{}') return [];
  const items = text.slice(1, -1).split(',');
  return items.map((item) => (item === 'NULL' ? null : toSafeInteger(item)));
}

/** Columns in snake case, and constraints as PostgreSQL itself names them when a migration leaves their names out. */
class NamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, embeddedPrefixes: string[]): string {
    return super.columnName(snakeCase(propertyName), customName ?? '', embeddedPrefixes);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_key`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_fkey`;
  }
}

/** Both as build.mjs has made them. */
const SOURCE_ROOT = resolve(import.meta.dirname, '../..');
const MIGRATIONS = resolve(SOURCE_ROOT, '../migrations');

type Class = new (...args: never[]) => unknown;

let entities: Promise<Class[]> | undefined;
let migrations: Promise<Class[]> | undefined;

/** Every class exported by a `*.entity` file of any feature, looked for once a process. */
function loadEntities(): Promise<Class[]> {
  return (entities ??= exportedClasses(SOURCE_ROOT, '.entity.js'));
}

/** Every migration, in the order of the 13 digits its file name starts with; looked for once a process. */
function loadMigrations(): Promise<Class[]> {
  return (migrations ??= exportedClasses(MIGRATIONS, '.js'));
}

// TypeORM could take glob patterns, but it would look for the files anew for each data source.
async function exportedClasses(folder: string, ending: string): Promise<Class[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .sort();
  const modules: object[] = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href)));
  return modules.flatMap((module) => Object.values(module)).filter((value) => typeof value === 'function');
}
