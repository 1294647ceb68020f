import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Demonstration, DemonstrationService } from './admin/demonstration.service.js';
import { AppModule, type ServiceEnv } from './app.module.js';
import { setupOpenApi } from './discovery/openapi.js';
import { createHttpApp, stopHttpApp } from './http.js';
import type { Env } from './platform/config/env.js';
import { loadPolicies } from './platform/config/policies.js';
import { runMigrations } from './platform/database/migrate.js';
import { type EmbeddedPart, startEmbedded } from './platform/embedded/embedded.js';
import { clientNetwork } from './keys/client-network.js';
import { checkPort } from './platform/http/check-port.js';
import { limitConnections } from './platform/http/connection-limit.js';
import { limitPipelining } from './platform/http/pipelining-limit.js';
import { readSecretsKey } from './platform/secrets/secrets-key-file.js';
import { waitForServers } from './platform/start/configured-servers.js';

const ONE_MACHINE_ONLY =
  'SECRETS_KEY is not set: webhook secrets, kept replies and links to results depend on a key that was made in DATA_DIR. Lose that folder, or start a process on another machine, and they cannot be read. Set SECRETS_KEY (openssl rand -base64 32) for every process.';

export interface RunningService {
  readonly embeddedParts: readonly EmbeddedPart[];
  /** Only where the database is embedded and HTTP is served. */
  readonly demonstration: Demonstration | null;
  /** Accepts nothing new, finishes what runs, closes what is open. */
  stop(): Promise<void>;
}

/**
 * Starts what `env.role` says: servers of our own where none is configured, the schema, then the service itself.
 * @param stopping ends the wait for servers that are not there yet; the promise rejects then
 * @throws ConfigurationError when something configured does not work, before anything is started where that can be known.
 * @throws ServerAwayError when a configured server does not come
 */
export async function startService(env: Env, logger: LoggerService, stopping?: AbortSignal): Promise<RunningService> {
  const log = (line: string): void => logger.log(line, 'Start');
  loadPolicies(env);
  if (env.role !== 'worker') await checkPort(env.host, env.port);
  if (env.databaseUrl !== null && env.secretsKey === null) logger.warn(ONE_MACHINE_ONLY, 'Start');
  const secretsKey = env.secretsKey ?? (await readSecretsKey(env.dataDir));
  await waitForServers(env, log, stopping);
  const embedded = await startEmbedded(env, log);
  try {
    const applied = await runMigrations(embedded.databaseUrl, () => undefined);
    if (applied > 0) log(`Database made ready (${applied} migrations).`);
    const { databaseUrl, redisUrl } = embedded;
    const serviceEnv = { ...env, databaseUrl, redisUrl, secretsKey };
    const started =
      env.role === 'worker' ? await startWorker(serviceEnv, logger) : await startApi(serviceEnv, env, logger);
    return {
      embeddedParts: embedded.parts,
      demonstration: started.demonstration,
      stop: async () => {
        await started.stop();
        await embedded.stop();
      },
    };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

/** The rooms that `env.role` names behind the edge, with the documents about them. Not initialised yet. */
export async function createServiceApp(
  env: ServiceEnv,
  logger: LoggerService | false,
): ReturnType<typeof createHttpApp> {
  const app = await createHttpApp(AppModule.register(env), env, logger);
  limitConnections(app.getHttpServer(), env, clientNetwork);
  limitPipelining(app.getHttpServer());
  setupOpenApi(app);
  return app;
}

type Started = Pick<RunningService, 'demonstration' | 'stop'>;

async function startWorker(env: ServiceEnv, logger: LoggerService): Promise<Started> {
  const app: INestApplicationContext = await NestFactory.createApplicationContext(AppModule.register(env), {
    logger,
    abortOnError: false,
  });
  return { demonstration: null, stop: () => app.close() };
}

/** @param configured what was asked for: a database of our own is one that it does not name */
async function startApi(env: ServiceEnv, configured: Env, logger: LoggerService): Promise<Started> {
  const app = await createServiceApp(env, logger);
  try {
    const demonstration = configured.databaseUrl === null ? await app.get(DemonstrationService).prepare() : null;
    await app.listen(env.port, env.host);
    return { demonstration, stop: () => stopHttpApp(app, logger) };
  } catch (error) {
    await app.close();
    throw error;
  }
}
