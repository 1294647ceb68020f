import { type Administration, openAdministration } from './admin/administration.js';
import { runProgram } from './admin/commands/run-program.js';
import { loadEnv } from './platform/config/env.js';
import { runMigrations } from './platform/database/migrate.js';
import { startEmbedded } from './platform/embedded/embedded.js';

const terminal = {
  out: (text: string) => void process.stdout.write(text),
  error: (text: string) => void process.stderr.write(text),
};

/** Joins the embedded PostgreSQL of a running service, or starts it for the time of the command. */
async function open(): Promise<Administration> {
  const env = loadEnv();
  // Nothing here needs Redis, so none is started.
  const embedded = await startEmbedded({ ...env, redisUrl: 'redis://unused' }, () => undefined);
  try {
    await runMigrations(embedded.databaseUrl, () => undefined);
    const administration = await openAdministration(env, embedded.databaseUrl, false);
    return {
      ...administration,
      close: async () => {
        await administration.close();
        await embedded.stop();
      },
    };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

process.exitCode = await runProgram(process.argv.slice(2), open, terminal);
