import { EXIT_CONFIGURATION, EXIT_FAILURE } from './exit-codes.js';
import { takeNoArguments } from './no-arguments.js';
import { programName } from './package.js';
import { ConfigurationError, loadEnv } from '../platform/config/env.js';
import { runMigrations } from '../platform/database/migrate.js';
import { startEmbedded } from '../platform/embedded/embedded.js';
import { waitForServers } from '../platform/start/configured-servers.js';
import { ServerAwayError } from '../platform/start/server-away-error.js';

takeNoArguments(
  programName('migrate', 'npm run migrate'),
  'Brings the schema of the database up to date, which every start does too.',
);
try {
  await migrate();
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof ServerAwayError)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof ConfigurationError ? EXIT_CONFIGURATION : EXIT_FAILURE;
}

async function migrate(): Promise<void> {
  const log = (line: string) => console.log(line);
  // Only PostgreSQL is needed, so Redis is not started.
  const env = loadEnv();
  await waitForServers({ ...env, redisUrl: null }, log);
  const embedded = await startEmbedded({ ...env, redisUrl: env.redisUrl ?? 'redis://unused' }, log);
  try {
    const applied = await runMigrations(embedded.databaseUrl, log);
    log(applied === 0 ? 'Nothing to migrate.' : `Migrations applied: ${applied}.`);
  } finally {
    await embedded.stop();
  }
}
