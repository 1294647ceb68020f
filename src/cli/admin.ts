import { resolve } from 'node:path';
import type { Administration } from '../admin/administration.js';
import { placeOfDatabase } from './database/place-of-database.js';
import { runProgram } from './admin/run-program.js';
import { outliveReader } from './print.js';
import { ConfigurationError, type Env, loadEnv } from '../platform/config/env.js';
import { isOutage, ServerAwayError } from '../platform/errors/outage.js';
import { findSecretsKey, readSecretsKey } from '../platform/embedded/secrets-key-file.js';

const terminal = {
  out: (text: string) => void process.stdout.write(text),
  error: (text: string) => void process.stderr.write(text),
};

/** Joins the embedded PostgreSQL of a running service, or starts it for the time of the command. */
async function open(mayMakeDatabase: boolean, say: (line: string) => void): Promise<Administration> {
  const env = loadEnv();
  // Help and mistakes need nothing of them.
  const { hasDatabase, startEmbedded } = await import('../platform/embedded/embedded.js');
  const { runMigrations } = await import('../platform/database/migrate.js');
  const { openAdministration } = await import('../admin/administration.js');
  if (env.databaseUrl === null && !mayMakeDatabase && !hasDatabase(env.dataDir)) throw noDatabase(env.dataDir);
  say(`Database: ${placeOfDatabase(env)}`);
  // Nothing here needs Redis, so none is started.
  const embedded = await startEmbedded({ ...env, redisUrl: 'redis://unused' }, () => undefined);
  try {
    await runMigrations(embedded.databaseUrl, () => undefined);
    const secretsKey = env.secretsKey ?? (await ownSecretsKey(env));
    const administration = await openAdministration({ ...env, secretsKey }, embedded.databaseUrl, false);
    return {
      ...administration,
      close: async () => {
        await administration.close();
        await embedded.stop();
      },
    };
  } catch (error) {
    await embedded.stop();
    throw isOutage(error) ? unreachable(env, error as Error) : error;
  }
}

/** The key that the service of this machine uses. A new one beside a database of others would seal what their workers cannot open. */
function ownSecretsKey({ databaseUrl, dataDir }: Env): Promise<string | null> {
  return databaseUrl === null ? readSecretsKey(dataDir) : findSecretsKey(dataDir);
}

function noDatabase(dataDir: string): ConfigurationError {
  const allowed = `a directory with a database, and ${resolve(dataDir)} has none: start the service first, or set DATABASE_URL`;
  return new ConfigurationError('DATA_DIR', dataDir, allowed);
}

function unreachable({ databaseUrl }: Env, { message }: Error): ServerAwayError {
  const variable = databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL';
  return new ServerAwayError(`The database is not reachable: ${message}. ${variable} says where it is.`);
}

outliveReader();
process.exitCode = await runProgram(process.argv.slice(2), open, terminal);
