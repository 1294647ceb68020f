import type { Socket } from 'node:net';
import pg from 'pg';
import { histogram } from '../metrics/metrics.js';

interface AnsweringPoolConfig extends pg.PoolConfig {
  /** PostgreSQL cancels a statement that runs longer; 0 for no limit. */
  readonly statementTimeoutMs: number;
  /** A statement that waits longer for a lock fails; 0 for no limit. */
  readonly lockTimeoutMs: number;
  /** The pool closes a connection on whose statement PostgreSQL sends no byte for so long; 0 for no limit. */
  readonly silenceMs: number;
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** Members of node-postgres's client that its types lack: its socket, and whether no statement is under way. */
interface ClientInside {
  readonly connection: { readonly stream: Socket };
  readonly readyForQuery: boolean;
}

/**
 * The time after a silence in which the pool refuses connections at once, so that the clean-up of a failed request does not wait
 * for a second silence.
 */
const REFUSED_AFTER_MS = 1_000;
const IDLE_TRANSACTION_MS = 30_000;

const wait = histogram(
  'mailsonde_database_wait_seconds',
  'How long a statement or a transaction waited for a connection of the pool to PostgreSQL.',
  [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
);

/**
 * A pool that gives up on a PostgreSQL which hangs. Its own `statement_timeout` cannot end a statement then, and `query_timeout` of
 * node-postgres gives a connection back to the pool whose transaction is still open. A connection that is closed takes its transaction
 * with it, whenever PostgreSQL wakes up. Bytes of rows, and of a COPY that PostgreSQL takes, are no silence.
 */
export class AnsweringPool extends pg.Pool {
  private readonly silenceMs: number;
  private heardAt = performance.now();
  private refusedUntil = 0;

  constructor({ silenceMs, statementTimeoutMs, lockTimeoutMs, ...config }: AnsweringPoolConfig) {
    // As a statement, since PgBouncer refuses what it does not know in the first message of a connection. A transaction that its owner
    // forgot would hold row locks and stop vacuum for ever.
    const settings = [
      `SET statement_timeout = ${statementTimeoutMs}`,
      `SET lock_timeout = ${lockTimeoutMs}`,
      `SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`,
    ].join('; ');
    const verify = (client: pg.ClientBase, done: (error?: Error) => void): void =>
      client.query(settings, (error) => done(error));
    super({ ...config, verify });
    this.silenceMs = silenceMs;
    this.on('connect', (client) => {
      // While it is verified nobody else listens (pg-pool 3, _acquireClient): an error would end the process. The query is told of it.
      client.on('error', () => undefined);
      this.watch(client as unknown as ClientInside);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (performance.now() < this.refusedUntil) {
      if (callback === undefined) return Promise.reject(this.silence());
      return process.nextTick(callback, this.silence(), undefined, () => undefined);
    }
    const startedAt = performance.now();
    const observe = (): void => wait.observe({}, (performance.now() - startedAt) / 1000);
    if (callback === undefined) return super.connect().finally(observe);
    super.connect((error, client, done) => {
      observe();
      callback(error, client, done);
    });
  }

  private watch(client: ClientInside): void {
    const { stream } = client.connection;
    stream.on('data', () => (this.heardAt = performance.now()));
    stream.setTimeout(this.silenceMs);
    stream.on('timeout', () => {
      if (client.readyForQuery) return;
      const now = performance.now();
      // One connection alone may have been lost on its way. When all others are silent too, PostgreSQL is away.
      if (now - this.heardAt >= this.silenceMs) this.refusedUntil = now + REFUSED_AFTER_MS;
      stream.destroy(this.silence());
    });
  }

  private silence(): Error {
    const error = new Error(`PostgreSQL has not answered for ${this.silenceMs / 1000} s`);
    return Object.assign(error, { code: 'ETIMEDOUT' });
  }
}
