import { ConfigurationError } from '../config/configuration-error.js';
import { type Env, masked } from '../config/env.js';
import { probeReplica } from '../database/replica-probe.js';
import { isOutage } from '../errors/outage.js';

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
