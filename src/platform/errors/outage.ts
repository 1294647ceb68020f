import { setTimeout as delay } from 'node:timers/promises';

/* SQLSTATE classes: connections (08), and resources that ran out, such as the disk or connections (53). */
const CLASSES = /^(08|53)/;

/*
 * Error codes of PostgreSQL (SQLSTATE, https://www.postgresql.org/docs/current/errcodes-appendix.html), Redis and their sockets
 * that mean an outage, not a wrong command of ours.
 */
const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  'CONNECTION_BROKEN',
  '25006', // read_only_sql_transaction: a standby, or a server that was made read-only
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
]);

const NAMES = new Set([
  'MaxRetriesPerRequestError',
  'ClusterAllFailedError',
  'ConnectionIsNotSetError',
  'CannotExecuteNotConnectedError',
  'DriverAlreadyReleasedError',
  // TypeORM's errors for a connection that was lost between two statements of a transaction.
  'QueryRunnerAlreadyReleasedError',
  'QueryRunnerProviderAlreadyReleasedError',
]);

/* Messages of node-postgres and ioredis for errors without a code. */
const MESSAGES =
  /^(Connection terminated|timeout e(xceeded when trying to connect|xpired)|Cannot use a pool after calling end|Client (has encountered a connection error|was closed)|Query read timeout|Connection is (closed|aborted|discarded)|Command (timed out|aborted due to connection close)|Socket timeout\.|Ready check failed|Stream isn't writeable|Driver not Connected|LOADING |READONLY |All sentinels are unreachable|None of startup nodes is available|Node is disconnected|Cluster (isn't ready|is (ended|disconnect(ed|ing)))|Too many Cluster redirections|CLUSTERDOWN |MASTERDOWN |connect ETIMEDOUT)/;

/*
 * Codes of statements that met others: PostgreSQL works, and the same request may succeed in a moment. They are no outage, because a worker
 * that waits outages out would wait for ever for a statement that is too slow by itself.
 */
const CONTENTION = new Set([
  '57014', // query_canceled: the statement timeout, mostly behind a lock
  '55P03', // lock_not_available
  '40P01', // deadlock_detected
  '40001', // serialization_failure
]);

/** Whether a statement was given up because others held what it needs. */
export function isContention(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false;
  const { code, cause, driverError } = error as Error & { code?: unknown; driverError?: unknown };
  if (typeof code === 'string' && CONTENTION.has(code)) return true;
  return [cause, driverError].some((inner) => isContention(inner, depth + 1));
}

/** Whether an error says that PostgreSQL or Redis is away or cannot work, so that the same request may succeed in a moment. */
export function isOutage(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false;
  const { code, cause, driverError } = error as Error & { code?: unknown; driverError?: unknown };
  const tells = typeof code === 'string' && (CODES.has(code) || CLASSES.test(code));
  return (
    tells ||
    NAMES.has(error.name) ||
    MESSAGES.test(error.message) ||
    [cause, driverError].some((inner) => isOutage(inner, depth + 1))
  );
}

const EVERY_MS = 500;

interface Patience {
  readonly seconds: number;
  /** Called for the first of outages that say the same. */
  readonly onOutage: (error: Error) => void;
  /** Ends the pause between two tries, and the promise rejects. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does `work`, and begins it again half a second after each outage of PostgreSQL or Redis.
 * @throws what `work` throws: the last outage after `seconds`, any other fault at once
 */
export async function afterOutages<T>(work: () => Promise<T>, { seconds, onOutage, signal }: Patience): Promise<T> {
  const endAt = performance.now() + seconds * 1_000;
  let last: string | null = null;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || performance.now() + EVERY_MS > endAt) throw error;
      const { message } = error as Error;
      if (message !== last) onOutage(error as Error);
      last = message;
    }
    await delay(EVERY_MS, undefined, { signal });
  }
}

/** A configured server did not answer in time. The message is one line; another try may succeed. */
export class ServerAwayError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ServerAwayError';
  }
}
