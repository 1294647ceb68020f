import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { egressSources } from './sending/egress/egress-sources.js';
import { AppModule, type ServiceEnv } from './app.module.js';
import type { Started } from './http-service.js';
import type { Env } from './platform/config/env.js';
import { loadPolicies } from './platform/config/policies.js';
import { runMigrations } from './platform/database/migrate.js';
import { type EmbeddedPart, startEmbedded } from './platform/embedded/embedded.js';
import { afterOutages, isOutage, ServerAwayError } from './platform/errors/outage.js';
import type { StopSteps } from './platform/health/stop-steps.js';
import { checkPort } from './platform/config/check-port.js';
import { readSecretsKey } from './platform/embedded/secrets-key-file.js';
import { checkReplica } from './platform/database/replica-probe.js';
import { waitForServers } from './platform/embedded/configured-servers.js';

const ONE_MACHINE_ONLY =
  'SECRETS_KEY is not set: webhook secrets, kept replies and links to results depend on a key that was made in DATA_DIR. Lose that folder, or start a process on another machine, and they cannot be read. Set SECRETS_KEY (head -c 32 /dev/urandom | base64) for every process.';

export interface RunningService extends Pick<Started, 'demonstration'> {
  readonly embeddedParts: readonly EmbeddedPart[];
  /** Stops: accepts no new work, finishes running work, closes connections. Tells the steps which of them runs. */
  stop(steps: StopSteps): Promise<void>;
}

/**
 * Starts the role of `env.role`: servers of our own where none is configured, the schema, then the service itself.
 * @param stopping ends the wait for servers that do not answer yet; the promise rejects then
 * @throws ConfigurationError for a configuration that does not work, before anything is started where possible.
 * @throws ServerAwayError when a configured server does not answer in time, or PostgreSQL goes away during the migrations and stays away
 */
export async function startService(env: Env, logger: LoggerService, stopping?: AbortSignal): Promise<RunningService> {
  const log = (line: string): void => logger.log(line, 'Start');
  loadPolicies(env);
  // Here, and again by Nest's modules, which would log what is wrong with a stack.
  egressSources(env);
  if (env.role !== 'worker') await checkPort(env.host, env.port);
  if (env.databaseUrl !== null && env.secretsKey === null) logger.warn(ONE_MACHINE_ONLY, 'Start');
  const secretsKey = env.secretsKey ?? (await readSecretsKey(env.dataDir));
  await waitForServers(env, log, stopping);
  await checkReplica(env, log);
  const embedded = await startEmbedded(env, log);
  try {
    const applied = await afterOutages(() => runMigrations(embedded.databaseUrl, () => undefined), {
      seconds: env.startWaitSeconds,
      onOutage: ({ message }) =>
        log(
          `PostgreSQL went away during the migrations: ${message}. Waiting for it, ${env.startWaitSeconds} s at most.`,
        ),
      signal: stopping,
    }).catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      const { message } = error as Error;
      throw new ServerAwayError(
        `The start failed because PostgreSQL went away: ${message}. Start the service again when it is back.`,
      );
    });
    if (applied > 0) log(`Database made ready (${applied} migrations).`);
    const { databaseUrl, redisUrl } = embedded;
    const serviceEnv = { ...env, databaseUrl, redisUrl, secretsKey };
    const started =
      env.role === 'worker' ? await startWorker(serviceEnv, logger) : await startHttp(serviceEnv, env, logger);
    return {
      embeddedParts: embedded.parts,
      demonstration: started.demonstration,
      stop: async (steps) => {
        steps.watch(started.context);
        steps.begin('requests and connections');
        await started.stop();
        steps.begin('the PostgreSQL and Redis of its own');
        await embedded.stop();
      },
    };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

async function startWorker(env: ServiceEnv, logger: LoggerService): Promise<Started> {
  const app: INestApplicationContext = await NestFactory.createApplicationContext(await AppModule.register(env), {
    logger,
    abortOnError: false,
  });
  return { context: app, demonstration: null, stop: () => app.close() };
}

/** A worker serves no HTTP, so it loads nothing of it. */
async function startHttp(env: ServiceEnv, configured: Env, logger: LoggerService): Promise<Started> {
  const { startApi } = await import('./http-service.js');
  return startApi(env, configured, logger);
}
