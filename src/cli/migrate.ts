import { Command, Option } from 'commander';
import { EXIT_CONFIGURATION, EXIT_FAILURE, EXIT_USAGE } from './terminal/exit-codes.js';
import { adviceOf, placeOfDatabase, safetyOf } from './migrate-text.js';
import { programName } from './terminal/command-line.js';
import { outliveReader } from './terminal/print.js';
import { ConfigurationError, loadEnv } from '../platform/config/env.js';
import { planMigrations, runMigrations, undoMigration } from '../platform/database/migrate.js';
import { startEmbedded } from '../platform/embedded/embedded.js';
import { waitForServers } from '../platform/embedded/configured-servers.js';
import { ServerAwayError } from '../platform/errors/outage.js';

outliveReader();
const name = programName('migrate');
const { plan, down } = new Command(name)
  .description('Brings the schema of the database up to date, which every start does too.')
  .option('--plan', 'say what would be done, and whether it may be done while the version before runs; change nothing')
  .addOption(
    new Option('--down <steps>', 'roll back the migration that was applied last').choices(['1']).conflicts('plan'),
  )
  .addHelpText(
    'after',
    `
One process migrates at a time, the others wait for it. A migration waits 5 s at most for a table that is in use; then it
changes nothing, and the command is run again. Each is one transaction: it is applied as a whole or not at all.

How long: tables and columns that are new take milliseconds, however large the database; an index reads its table once, and
so does a step that moves data. What a version needs is told where it is tried first, on a restored backup (docs/operations.md).

An upgrade beside the version that runs: look at --plan, migrate, replace the processes one after another, and apply what
it calls "contract" with the version after. A rollback: the old version runs on the new schema, so put the old processes back
first, then run --down 1 by the new version's command.

Every setting is an environment variable or a line of .env; .env.example says what each is for.`,
  )
  .allowExcessArguments(false)
  .configureOutput({
    outputError: (text, write) => write(`${text.trim()} Nothing was done: "${name} --help" says what there is.\n`),
  })
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_USAGE))
  .parse()
  .opts<{ plan?: boolean; down?: string }>();

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
    log(`Database: ${placeOfDatabase(env)}`);
    await work(embedded.databaseUrl, log);
  } finally {
    await embedded.stop();
  }
}

async function work(url: string, log: (line: string) => void): Promise<void> {
  if (plan) {
    const { applied, pending, unknown, bytes } = await planMigrations(url);
    log(`Applied: ${applied.length}. To be applied: ${pending.length}. The database has ${Math.ceil(bytes / 1e6)} MB.`);
    for (const step of pending) log(`  ${step.name}: ${safetyOf(step)}`);
    for (const one of unknown) log(`  ${one}: of a newer version, is applied already and stays`);
    log(adviceOf(pending));
  } else if (down !== undefined) log(`Migration rolled back: ${await undoMigration(url, log)}`);
  else {
    const startedAt = performance.now();
    const applied = await runMigrations(url, log);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    log(applied === 0 ? 'Nothing to migrate.' : `Migrations applied: ${applied}, in ${seconds} s.`);
  }
}
