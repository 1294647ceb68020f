import { resolve } from 'node:path';
import type { DatabaseProgram } from './admin/database-program.js';
import { createAdminClient } from '../client/client.js';
import { placeOfDatabase } from './migrate-text.js';
import type { Command } from 'commander';
import { type ServiceConnection, runProgram } from './admin/run-program.js';
import { programName, type ServerOptions } from './terminal/command-line.js';
import { serverAccess } from './terminal/server-access.js';
import { outliveReader } from './terminal/print.js';
import { ConfigurationError, type Env, loadEnv } from '../platform/config/env.js';
import { isOutage, ServerAwayError } from '../platform/errors/outage.js';
import { findSecretsKey, readSecretsKey } from '../platform/embedded/secrets-key-file.js';

const terminal = {
  out: (text: string) => void process.stdout.write(text),
  error: (text: string) => void process.stderr.write(text),
};

async function connect(options: ServerOptions, command: Command): Promise<ServiceConnection> {
  const env = loadEnv();
  const { url, key } = serverAccess(command, options, { ...env, serverKey: env.adminKey });
  if (key !== null) return { url, api: createAdminClient({ baseUrl: url, apiKey: key }) };
  const places = 'as a variable, in a line of .env, in the file of MAILSONDE_ADMIN_KEY_FILE or by --key';
  const advice = `"${programName('admin')} create-key --name <who>" makes one on the database of the service`;
  throw new ConfigurationError('MAILSONDE_ADMIN_KEY', null, `an admin key of ${url}, ${places}; ${advice}`);
}

/** Joins the embedded PostgreSQL of a running service, or starts it for the time of the command. */
async function open(mayMakeDatabase: boolean, say: (line: string) => void): Promise<DatabaseProgram> {
  const env = loadEnv();
  // Help and mistakes need nothing of them.
  const { hasDatabase, startEmbedded } = await import('../platform/embedded/embedded.js');
  const { runMigrations } = await import('../platform/database/migrate.js');
  const { openDatabaseProgram } = await import('./admin/database-program.js');
  const isNew = env.databaseUrl === null && !hasDatabase(env.dataDir);
  if (isNew && !mayMakeDatabase) throw noDatabase(env.dataDir);
  if (isNew) await refuseBesideService(env);
  say(`Database: ${placeOfDatabase(env)}${isNew ? ', which is made now; DATA_DIR or DATABASE_URL names another' : ''}`);
  // Nothing here needs Redis, so none is started.
  const embedded = await startEmbedded({ ...env, redisUrl: 'redis://unused' }, () => undefined);
  try {
    await runMigrations(embedded.databaseUrl, () => undefined);
    const secretsKey = env.secretsKey ?? (await ownSecretsKey(env));
    const program = await openDatabaseProgram({ ...env, secretsKey }, embedded.databaseUrl, false);
    return {
      ...program,
      createKey: async (actor, typed) => {
        const issued = await program.createKey(actor, typed);
        await tellIfUnknown(env, issued.api_key!);
        return issued;
      },
      close: async () => {
        await program.close();
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

const POLL_MS = 2_000;

/** A service that answers has its database elsewhere: a key in a new one would open nothing. @throws ConfigurationError */
async function refuseBesideService({ server, publicUrl, dataDir }: Env): Promise<void> {
  const url = (server ?? publicUrl).replace(/\/+$/, '');
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(POLL_MS) }).catch(() => null);
  await response?.body?.cancel();
  // Something else may listen there.
  if (response?.ok !== true || !response.headers.has('x-request-id')) return;
  const allowed = `the directory of the service that answers at ${url}: ${resolve(dataDir)} has no database, and a key in a new one would not be known there; or set DATABASE_URL to its database. For another installation on this machine, set MAILSONDE_SERVER or PUBLIC_URL to its address`;
  throw new ConfigurationError('DATA_DIR', dataDir, allowed);
}

/** The named service may have another database than the one in which the key was made. Nobody else is shown the key. */
async function tellIfUnknown({ server }: Env, key: string): Promise<void> {
  if (server === null) return;
  const url = server.replace(/\/+$/, '');
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/admin/v1/keys`, { headers, signal: AbortSignal.timeout(POLL_MS) }).catch(
    () => null,
  );
  await response?.body?.cancel();
  if (response?.status !== 401 || !response.headers.has('x-request-id')) return;
  terminal.error(
    `The service at ${url} does not know this key: its database is another one. DATA_DIR or DATABASE_URL names it.\n`,
  );
}

function unreachable({ databaseUrl }: Env, { message }: Error): ServerAwayError {
  const variable = databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL';
  return new ServerAwayError(`The database is not reachable: ${message}. ${variable} says where it is.`);
}

outliveReader();
process.exitCode = await runProgram(process.argv.slice(2), { connect, open }, terminal);
