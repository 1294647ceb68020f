import { Redis, type RedisOptions } from 'ioredis';
import { askOnce } from '../database/replica-probe.js';
import { ConfigurationError } from '../config/configuration-error.js';
import { type Env, masked } from '../config/env.js';
import { afterOutages, isOutage, ServerAwayError } from '../errors/outage.js';
import { openRedis } from '../redis/redis.js';

interface ConfiguredServer {
  readonly name: 'PostgreSQL' | 'Redis';
  readonly variable: 'DATABASE_URL' | 'REDIS_URL';
  readonly url: string;
  /** Rejects with the server's fault. */
  readonly probe: (url: string) => Promise<void>;
}

/**
 * Resolves when PostgreSQL and Redis, as far as they are configured, answer and can work: machines and containers start in any
 * order.
 * @param signal ends the wait, whose promise rejects then
 * @throws ServerAwayError after `env.startWaitSeconds`, ConfigurationError at once for faults that waiting does not mend, such as
 *   a wrong password
 */
export async function waitForServers(
  { databaseUrl, redisUrl, startWaitSeconds }: Pick<Env, 'databaseUrl' | 'redisUrl' | 'startWaitSeconds'>,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const servers: ConfiguredServer[] = [];
  if (databaseUrl !== null)
    servers.push({ name: 'PostgreSQL', variable: 'DATABASE_URL', url: databaseUrl, probe: probePostgres });
  if (redisUrl !== null) servers.push({ name: 'Redis', variable: 'REDIS_URL', url: redisUrl, probe: probeRedis });
  const failed = new AbortController();
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  try {
    await Promise.all(servers.map((server) => waitFor(server, startWaitSeconds, log, either)));
  } finally {
    failed.abort();
  }
}

/** @throws ConfigurationError for faults that waiting does not mend */
async function waitFor(
  { name, variable, url, probe }: ConfiguredServer,
  seconds: number,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let wasAway = false;
  const onOutage = (error: Error): void => {
    wasAway = true;
    log(`${name} (${variable}) is not there yet: ${reasonOf(error)}. Waiting for it, ${seconds} s at most.`);
  };
  try {
    await afterOutages(() => probe(url), { seconds, onOutage, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    const fault = error as Error;
    if (isOutage(fault))
      throw new ServerAwayError(
        `${variable}: ${name} was not there within ${seconds} s (START_WAIT): ${reasonOf(fault)}.`,
      );
    const says = fault.message.replaceAll(/\s+/g, ' ').replace(/\.$/, '');
    throw new ConfigurationError(
      variable,
      masked(variable, url),
      `a URL that ${name} accepts; what went wrong: ${says}`,
    );
  }
  if (wasAway) log(`${name} (${variable}) is there.`);
}

/* The message of a socket's error may repeat a part of the URL, which may hold a misplaced password. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection is closed at once',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ETIMEDOUT: 'it does not answer',
};

function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (REASONS[code] !== undefined) return REASONS[code];
  if (/time[d ]*out/i.test(message)) return REASONS['ETIMEDOUT']!;
  return `it says "${message}"`;
}

const ANSWER_WITHIN_MS = 5_000;

/** Rejects unless PostgreSQL answers and takes writes. */
async function probePostgres(url: string): Promise<void> {
  const { recovers } = await askOnce<{ recovers: boolean }>(url, 'SELECT pg_is_in_recovery() AS recovers');
  // A server in recovery gets 57P03, the code of one that lets nobody in yet.
  if (recovers) throw Object.assign(new Error('the database system only reads: it recovers'), { code: '57P03' });
}

/** Rejects unless Redis answers. */
export async function probeRedis(url: string): Promise<void> {
  const options: RedisOptions = {
    lazyConnect: true,
    connectTimeout: ANSWER_WITHIN_MS,
    commandTimeout: ANSWER_WITHIN_MS,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  };
  const redis = openRedis(url, options);
  let failure: Error | null = null;
  const note = (error: Error): void => void (failure ??= error);
  // A cluster has the reason of each of its nodes.
  redis.on(redis.isCluster ? 'node error' : 'error', note);
  try {
    if (redis instanceof Redis) await redis.connect();
    await redis.ping();
  } catch (error) {
    // ioredis rejects with "Connection is closed."; only the event has the reason.
    throw failure ?? error;
  } finally {
    redis.disconnect();
  }
}
