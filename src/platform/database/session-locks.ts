import pg from 'pg';
import type { DataSource } from 'typeorm';

/** A machine that is lost without a word is noticed after a minute, and its locks are free. */
const KEEPALIVE = `SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3`;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = { one: 5_000, named: 15_000 };
const TAKE = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS got';
const GIVE_BACK = 'SELECT pg_advisory_unlock(hashtextextended($1, 0))';

interface Session {
  readonly client: pg.Client;
  readonly ready: Promise<unknown>;
}

/**
 * Advisory locks by name, each held by one process at a time and there once. All locks of a process are on one connection, which is open
 * while it holds any: they are gone as soon as the process is, because the kernel closes a dead process's connections.
 */
export class SessionLocks {
  private readonly held = new Set<string>();
  private session: Session | null = null;

  constructor(private readonly database: DataSource) {}

  /** Rejects when PostgreSQL is away. @returns what gives the lock back; null when somebody else has it */
  async take(name: string): Promise<(() => Promise<void>) | null> {
    if (this.held.has(name)) return null;
    this.held.add(name);
    const session = (this.session ??= this.open());
    let isGot = false;
    try {
      await session.ready;
      const { rows } = await session.client.query<{ got: boolean }>(TAKE, [name]);
      isGot = rows[0]!.got;
    } finally {
      if (!isGot) await this.forget(name);
    }
    if (!isGot) return null;
    let given: Promise<void> | null = null;
    return () => (given ??= this.giveBack(name, session));
  }

  /** Ends the connection, and with it all locks. */
  async close(): Promise<void> {
    this.held.clear();
    await this.closeIdle();
  }

  private async giveBack(name: string, session: Session): Promise<void> {
    // With a connection that was lost, its locks are.
    if (this.session === session)
      await session.client.query(GIVE_BACK, [name]).catch(() => session.client.end().catch(() => undefined));
    await this.forget(name);
  }

  private async forget(name: string): Promise<void> {
    this.held.delete(name);
    await this.closeIdle();
  }

  private async closeIdle(): Promise<void> {
    const { session } = this;
    if (this.held.size > 0 || session === null) return;
    this.session = null;
    await session.client.end().catch(() => undefined);
  }

  private open(): Session {
    const client = clientFor(this.database, 'mailsonde locks', QUERY_TIMEOUT_MS.named);
    const session = { client, ready: client.connect().then(() => client.query(KEEPALIVE)) };
    const lose = (): void => {
      if (this.session === session) this.session = null;
    };
    client.on('error', lose);
    client.once('end', lose);
    session.ready.catch(lose);
    return session;
  }
}

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
    const client = clientFor(this.database, 'mailsonde presence', QUERY_TIMEOUT_MS.one);
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

/** @param queryTimeoutMs a pooler takes the connection and lets the question wait until it has a server */
function clientFor(database: DataSource, applicationName: string, queryTimeoutMs: number): pg.Client {
  const { url } = database.options as { url?: string };
  return new pg.Client({
    connectionString: url!,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
  });
}
