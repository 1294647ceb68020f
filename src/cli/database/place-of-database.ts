import { resolve } from 'node:path';
import type { Env } from '../../platform/config/env.js';

/** Which database a command works on, without its user and password. */
export function placeOfDatabase({ databaseUrl, dataDir }: Pick<Env, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === null) return `the embedded one in ${resolve(dataDir)} (DATA_DIR)`;
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${host}${pathname} (DATABASE_URL)`;
}
