import pg from 'pg';

const ANSWER_WITHIN_MS = 5_000;

/** What two servers say of themselves. */
export interface ProbedReplica {
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
