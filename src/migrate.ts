import { loadEnv } from './platform/config/env.js';
import { runMigrations } from './platform/database/migrate.js';
import { startEmbedded } from './platform/embedded/embedded.js';
import { waitForServers } from './platform/start/configured-servers.js';

const log = (line: string) => console.log(line);
// Only PostgreSQL is needed, so Redis is not started.
const env = loadEnv();
await waitForServers({ ...env, redisUrl: null }, log).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
const embedded = await startEmbedded({ ...env, redisUrl: env.redisUrl ?? 'redis://unused' }, log);
try {
  const applied = await runMigrations(embedded.databaseUrl, log);
  log(applied === 0 ? 'Nothing to migrate.' : `Migrations applied: ${applied}.`);
} finally {
  await embedded.stop();
}
