import type { Env } from '../../platform/config/env.js';
import { type CheckResult, fail, pass } from './check-result.js';

/** Reads do not wait for a replica that is further behind. */
const MAX_LAG_SECONDS = 2;

/** Whether the replica of `DATABASE_READ_URL` can be read from; nothing where none is configured. */
export async function examineReplica({
  databaseUrl,
  databaseReadUrl,
}: Pick<Env, 'databaseUrl' | 'databaseReadUrl'>): Promise<CheckResult[]> {
  if (databaseUrl === null || databaseReadUrl === null) return [];
  // Only who has a replica pays for the client of PostgreSQL.
  const { probeReplica } = await import('../../platform/database/replica-probe.js');
  try {
    const { isReplica, lagSeconds } = await probeReplica(databaseUrl, databaseReadUrl);
    if (!isReplica) return [fail('replica', NO_REPLICA, 'Let it lead to a hot standby, or take it away.')];
    const lag = `it is ${lagSeconds.toFixed(1)} s behind`;
    if (lagSeconds > MAX_LAG_SECONDS)
      return [fail('replica', `${lag}: the primary is read from`, 'Look at pg_stat_replication of the primary.')];
    return [pass('replica', lagSeconds === 0 ? 'it has all that the primary has' : lag)];
  } catch (error) {
    const says = (error as Error).message.replaceAll(/\s+/g, ' ');
    return [fail('replica', `it or its primary cannot be asked: ${says}`, 'Reads go to the primary until it answers.')];
  }
}

const NO_REPLICA = 'DATABASE_READ_URL leads to a server that is no replica of DATABASE_URL: the primary is read from';
