import pg from 'pg';
import { ConfigurationError } from '../config/configuration-error.js';
import { type Env, masked } from '../config/env.js';
import { isOutage } from '../errors/outage.js';

const ANSWER_WITHIN_MS = 5_000;

/** What two servers say of themselves. */
interface ProbedReplica {
  /** A hot standby of the primary. */
  readonly isReplica: boolean;
  /** 0: it has all that the primary has. */
  readonly lagSeconds: number;
}

/** Asks a replica and its primary once. Rejects with the fault of the one that does not answer. */
export async function probeReplica(primaryUrl: string, replicaUrl: string): Promise<ProbedReplica> {
  const { system, place } = await ask<{ system: string; place: string }>(
    primaryUrl,
    `SELECT (SELECT system_identifier FROM pg_control_system())::text AS system, pg_current_wal_flush_lsn()::text AS place`,
  );
  return ask(
    replicaUrl,
    `SELECT pg_is_in_recovery() AND (SELECT system_identifier FROM pg_control_system())::text = $1 AS "isReplica",
            CASE WHEN NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= $2::pg_lsn THEN 0
                 ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())
            END::double precision AS "lagSeconds"`,
    [system, place],
  );
}

async function ask<T extends object>(url: string, sql: string, values: readonly string[] = []): Promise<T> {
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
