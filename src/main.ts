import { setFlagsFromString } from 'node:v8';
import { banner } from './banner.js';
import { EXIT_CONFIGURATION, EXIT_FAILURE } from './cli/terminal/exit-codes.js';
import { programName, takeNoArguments } from './cli/terminal/command-line.js';
import { DEFAULT_SOURCE, egressSources } from './sending/egress/egress-sources.js';
import { ConfigurationError, type Env, loadEnv } from './platform/config/env.js';
import { StopSteps } from './platform/health/stop-steps.js';
import { ServiceLogger } from './platform/logging/service-logger.js';
import { identityLine } from './verify/ports/smtp-identity.js';
import { ServerAwayError, isOutage } from './platform/errors/outage.js';
import { type RunningService, startService } from './service.js';

/* The time after which a stopping process exits anyway: longer than requests may take to finish. */
const STOP_WITHIN_MS = 40_000;

/*
 * The time within which a second signal is the same one: a terminal signals the whole process group, and npm passes its signal on
 * as well.
 */
const SAME_SIGNAL_MS = 500;

takeNoArguments(
  programName('serve', 'npm start'),
  'Starts the service, with a PostgreSQL and a Redis of its own where none is set.',
);
const isTerminal = process.stdout.isTTY;

const env = readEnv();
// Less garbage before V8 collects it (docs/adr/measured-choices.md, 28). Unlike a limit of memory it kills nobody.
setFlagsFromString(`--heap-growing-percent=${env.role === 'worker' ? 35 : 50}`);
// V8 would make replies in the old generation, because some live long, and all that they refer to would outlive young collections.
if (env.role !== 'worker') setFlagsFromString('--no-allocation-site-pretenuring');
const logger = new ServiceLogger(env, isTerminal);
let stoppingSince: number | null = null;
let exitCode = 0;
const stopping = new AbortController();
const steps = new StopSteps('the start');

process.on('exit', () => logger.flush());
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
    const named = egressSources(env).own.filter(({ name }) => name !== DEFAULT_SOURCE);
    logger.log(identityLine(env, named), 'Start');
    // The banner is for people; machines get one line in the format of the log.
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
    process.exit(EXIT_CONFIGURATION);
  }
  if (error instanceof ServerAwayError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_FAILURE);
  }
  if (isOutage(error)) {
    const { message } = error as Error;
    process.stderr.write(
      `The start failed because PostgreSQL or Redis went away: ${message}. Start the service again when both are back.\n`,
    );
    process.exit(EXIT_FAILURE);
  }
  process.stderr.write(`The service could not start: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(EXIT_FAILURE);
}

function onSignal(signal: NodeJS.Signals): void {
  const now = performance.now();
  if (stoppingSince === null) {
    logger.log(`${signal}: finishing what runs. Once more to stop at once.`, 'Stop');
    stopping.abort();
    void stop();
  } else if (now - stoppingSince > SAME_SIGNAL_MS) {
    exitUnfinished(`${signal} again`);
  }
}

function die(error: unknown): void {
  logger.fatal(
    error instanceof Error ? error : new Error(`A value that is no error was thrown: ${typeof error}`),
    'Process',
  );
  exitCode = EXIT_FAILURE;
  // A second fault must not cut off the replies that may finish after the first one (docs/adr/0024).
  if (stoppingSince === null) void stop();
}

async function stop(): Promise<void> {
  stoppingSince = performance.now();
  setTimeout(() => exitUnfinished(`${STOP_WITHIN_MS / 1000} s are over`), STOP_WITHIN_MS).unref();
  try {
    const service = await starting;
    await service.stop(steps);
    process.exit(exitCode);
  } catch (error) {
    logger.error(error, 'Stop');
    process.exit(EXIT_FAILURE);
  }
}

function exitUnfinished(why: string): never {
  logger.error(`${why}: the process ends without the end of ${steps.unfinished}.`, 'Stop');
  process.exit(EXIT_FAILURE);
}
