import pg from 'pg';
import { SUPERUSER } from './postgres-home.js';
import { until } from './processes.js';

const DATABASE = 'mailsonde';

/**
 * Every copy of the service holds this lock, shared, on a connection of its own for as long as it lives. The copy that gets it
 * alone is the last one; a copy that comes meanwhile does not get it, and starts the server again.
 */
const PRESENCE_LOCK = 1;

/** A connection that holds the lock; null when the server does not let us in, or is about to be stopped. */
export async function joinPostgres(port: number, password: string): Promise<pg.Client | null> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password,
    database: 'postgres',
    application_name: 'mailsonde presence',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // The server's end is not reported here, because its users learn it from their own connections.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const got = await client.query('select pg_try_advisory_lock_shared($1) as got', [PRESENCE_LOCK]);
    if (got.rows[0].got === true) return client;
  } catch (error) {
    if ((error as { code?: string }).code === '28P01') throw error; // A wrong password stays wrong.
  }
  await client.end().catch(() => undefined);
  return null;
}

/**
 * Gives up our share of the lock. True when nobody else has a share or any other connection, such as a `psql`: then the lock is
 * ours alone until the server stops.
 */
export async function isLastUserOfPostgres(presence: pg.Client): Promise<boolean> {
  try {
    await presence.query('select pg_advisory_unlock_shared($1)', [PRESENCE_LOCK]);
    const got = await presence.query('select pg_try_advisory_lock($1) as got', [PRESENCE_LOCK]);
    if (got.rows[0].got !== true) return false;
    // PostgreSQL still lists a just closed connection for a moment.
    return await until(() => isAlone(presence), 1_000);
  } catch {
    return false; // The server is gone already.
  }
}

async function isAlone(presence: pg.Client): Promise<boolean> {
  const others = await presence.query(
    `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
  );
  return others.rowCount === 0;
}

export async function ensureDatabase(presence: pg.Client): Promise<void> {
  const found = await presence.query('select from pg_database where datname = $1', [DATABASE]);
  if (found.rowCount) return;
  await presence.query(`create database ${DATABASE}`).catch((error: { code?: string }) => {
    const madeMeanwhile = error.code === '42P04' || error.code === '23505';
    if (!madeMeanwhile) throw error;
  });
}

export function urlOf(port: number, password: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}
