import pg from 'pg';
import type { DataSource } from 'typeorm';

const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 5_000;

/**
 * An advisory lock (https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS) on a connection of its own:
 * it is gone as soon as the process is, because the kernel closes a dead process's connections.
 */
export class SessionLock {
  private client: pg.Client | null = null;

  /** @param keys what the lock is on: two integers of 32 bits */
  constructor(
    private readonly database: DataSource,
    private readonly keys: readonly [number, number],
  ) {}

  get isHeld(): boolean {
    return this.client !== null;
  }

  /**
   * Takes the lock, and again when its connection was lost. Rejects when PostgreSQL is away. @returns false when somebody else
   * has it
   */
  async take(): Promise<boolean> {
    if (this.isHeld) return true;
    const { url } = this.database.options as { url?: string };
    const client = new pg.Client({
      connectionString: url!,
      application_name: 'mailsonde presence',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // A pooler takes the connection and lets the question wait until it has a server.
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('error', () => undefined);
    client.once('end', () => {
      if (this.client === client) this.client = null;
    });
    try {
      await client.connect();
      const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS got', [
        ...this.keys,
      ]);
      if (rows[0]!.got) this.client = client;
      return rows[0]!.got;
    } finally {
      if (this.client !== client) await client.end().catch(() => undefined);
    }
  }

  async release(): Promise<void> {
    await this.client?.end().catch(() => undefined);
  }
}
