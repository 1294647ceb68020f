import { ConfigurationError } from '../config/configuration-error.js';
import { type Env, masked } from '../config/env.js';
import { afterOutages } from '../errors/after-outages.js';
import { isOutage } from '../errors/outage.js';
import { probePostgres, probeRedis } from './probes.js';
import { ServerAwayError } from './server-away-error.js';

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
