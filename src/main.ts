import { setFlagsFromString } from 'node:v8';
import { banner } from './banner.js';
import { takeNoArguments } from './command-line/no-arguments.js';
import { ConfigurationError, type Env, loadEnv } from './platform/config/env.js';
import { ServiceLogger } from './platform/logging/service-logger.js';
import { identityLine } from './platform/smtp-identity.js';
import { ServerAwayError } from './platform/start/server-away-error.js';
import { type RunningService, startService } from './service.js';

/* sysexits.h: EX_CONFIG, so that a supervisor need not try again. */
const WRONG_CONFIGURATION = 78;

/* Longer than requests may take to finish; a process that hangs beyond it would only be killed. */
const STOP_WITHIN_MS = 40_000;

/* npm hands on the signal that a terminal sent to the whole process group already: both come within milliseconds. */
const SAME_SIGNAL_MS = 500;

takeNoArguments('npm start', 'Starts the service, with a PostgreSQL and a Redis of its own where none is set.');
const isTerminal = process.stdout.isTTY;

const env = readEnv();
// V8 lets garbage grow to three times what lives before it looks for it; by less a batch of a million stays under 400 MB in a worker
// instead of 730, for 3 µs of CPU an address. A download leaves more garbage that is old. Unlike a limit it kills nobody.
setFlagsFromString(`--heap-growing-percent=${env.role === 'worker' ? 50 : 25}`);
const logger = new ServiceLogger(env, isTerminal);
let stoppingSince: number | null = null;
let exitCode = 0;
const stopping = new AbortController();

process.on('unhandledRejection', die);
process.on('uncaughtException', die);
const starting = startService(env, logger, stopping.signal);
process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);
await announce(starting);

function readEnv(): Env {
  try {
    return loadEnv();
  } catch (error) {
    return refuse(error);
  }
}

async function announce(service: Promise<RunningService>): Promise<void> {
  try {
    const { embeddedParts, demonstration } = await service;
    logger.log(identityLine(env), 'Start');
    // People read the text; where only machines do, one line as of everything else.
    if (env.role !== 'worker' && (isTerminal || embeddedParts.length > 0)) {
      process.stdout.write(banner(env, embeddedParts, demonstration));
    } else {
      logger.log(env.role === 'worker' ? 'The worker runs.' : `Listening on ${env.publicUrl}`, 'Start');
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') process.exit(0);
    refuse(error);
  }
}

function refuse(error: unknown): never {
  if (error instanceof ConfigurationError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(WRONG_CONFIGURATION);
  }
  if (error instanceof ServerAwayError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  process.stderr.write(`The service could not start: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}

function onSignal(signal: NodeJS.Signals): void {
  const now = performance.now();
  if (stoppingSince === null) {
    logger.log(`${signal}: finishing what runs. Once more to stop at once.`, 'Stop');
    stopping.abort();
    void stop();
  } else if (now - stoppingSince > SAME_SIGNAL_MS) {
    process.exit(1);
  }
}

function die(error: unknown): void {
  logger.fatal(
    error instanceof Error ? error : new Error(`A value that is no error was thrown: ${typeof error}`),
    'Process',
  );
  exitCode = 1;
  // A second fault must not cut the replies that the first one lets finish (docs/adr/0024).
  if (stoppingSince === null) void stop();
}

async function stop(): Promise<void> {
  stoppingSince = performance.now();
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  try {
    await (await starting).stop();
    process.exit(exitCode);
  } catch (error) {
    logger.error(error, 'Stop');
    process.exit(1);
  }
}
