import { resolve } from 'node:path';
import type { Env } from '../platform/config/env.js';
import type { MigrationStep } from '../platform/database/migrate.js';

/** What a step of a plan is. */
export function safetyOf({ phase }: Pick<MigrationStep, 'phase'>): string {
  if (phase === 'first') return 'makes tables of an empty database';
  if (phase === 'expand') return 'expand: safe while the version before runs';
  return 'contract: stop every process of the version before first';
}

/** What a whole plan asks of somebody who runs the version before. */
export function adviceOf(pending: readonly Pick<MigrationStep, 'phase'>[]): string {
  if (pending.length === 0) return 'The schema is up to date: nothing would be done.';
  if (pending.some(({ phase }) => phase === 'contract'))
    return 'Not beside the version before: stop every process of it first.';
  if (pending.some(({ phase }) => phase === 'expand')) return 'The version before may go on running.';
  return 'The tables are new: nothing can use them yet.';
}

/** Which database a command works on, without its user and password. */
export function placeOfDatabase({ databaseUrl, dataDir }: Pick<Env, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === null) return `the embedded one in ${resolve(dataDir)} (DATA_DIR)`;
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${host}${pathname} (DATABASE_URL)`;
}
