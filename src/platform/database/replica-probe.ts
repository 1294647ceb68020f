import pg from 'pg';
import { ConfigurationError } from '../config/configuration-error.js';
import { type Env, masked } from '../config/env.js';
import { isOutage } from '../errors/outage.js';

const ANSWER_WITHIN_MS = 5_000;

/**
 * What the primary has committed, as a place in its log. Commits that do not wait for the disk (`synchronous_commit = off`) stand further on
 * than what is on it; single ones that do not wait where others do, reservations of credits, are seen a moment later.
 */
export const MARK = `SELECT (SELECT system_identifier FROM pg_control_system())::text AS system,
  (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END)::text AS place`;

export interface Mark {
  readonly system: string;
  readonly place: string;
}

export const LAG = `SELECT pg_is_in_recovery() AND (SELECT system_identifier FROM pg_control_system())::text = $2 AS "isReplica",
  CASE WHEN pg_last_wal_replay_lsn() >= $1::pg_lsn THEN 0
       ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END::double precision AS seconds`;

/** What two servers say of themselves. */
export interface Lag {
  /** A hot standby of the primary. */
  readonly isReplica: boolean;
  /** How far it is behind; 0: it has all that the primary has; null: it cannot tell. */
  readonly seconds: number | null;
}

/** Asks a replica and its primary once. Rejects with the fault of the one that does not answer. */
export async function probeReplica(primaryUrl: string, replicaUrl: string): Promise<Lag> {
  const { system, place } = await askOnce<Mark>(primaryUrl, MARK);
  return askOnce(replicaUrl, LAG, [place, system]);
}

/** The first row that a server answers to a question of a start. */
export async function askOnce<T extends object>(url: string, sql: string, values: readonly string[] = []): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'mailsonde start',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<T>(sql, [...values])).rows[0]!;
  } finally {
    // The end is not awaited, because a hung server never answers it.
    void client.end().catch(() => undefined);
  }
}

/**
 * Says when the replica cannot be read from yet, and waits for nothing: the primary does its work until then.
 * @throws ConfigurationError for faults that time does not mend, such as a wrong password
 */
export async function checkReplica(
  { databaseUrl, databaseReadUrl }: Pick<Env, 'databaseUrl' | 'databaseReadUrl'>,
  log: (line: string) => void,
): Promise<void> {
  if (databaseUrl === null || databaseReadUrl === null) return;
  const wrong = (allowed: string) =>
    new ConfigurationError('DATABASE_READ_URL', masked('DATABASE_READ_URL', databaseReadUrl), allowed);
  try {
    const { isReplica } = await probeReplica(databaseUrl, databaseReadUrl);
    if (!isReplica)
      log('DATABASE_READ_URL is no replica of DATABASE_URL (any more): the primary is read from until it is one.');
  } catch (error) {
    if (!isOutage(error)) throw wrong(`a URL that PostgreSQL accepts; what went wrong: ${(error as Error).message}`);
    log('The replica of DATABASE_READ_URL is not there yet: the primary is read from until it is.');
  }
}
