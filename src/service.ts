import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { egressSources } from './egress/egress-sources.js';
import { type Demonstration, DemonstrationService } from './admin/demonstration.service.js';
import { AppModule, type ServiceEnv } from './app.module.js';
import { servePageAssets } from './console/pages.js';
import { pageAsset } from './platform/pages/built-pages.js';
import { DEPRECATIONS, tellDeprecations } from './discovery/deprecation/deprecations.js';
import { setupOpenApi } from './discovery/openapi.js';
import { createHttpApp, stopHttpApp } from './http.js';
import type { Env } from './platform/config/env.js';
import { loadPolicies } from './platform/config/policies.js';
import { runMigrations } from './platform/database/migrate.js';
import { type EmbeddedPart, startEmbedded } from './platform/embedded/embedded.js';
import { clientNetwork } from './keys/access/client-network.js';
import { checkPort, portRefusal } from './platform/http/check-port.js';
import { limitConnections } from './platform/http/connections/connection-limit.js';
import { limitPipelining } from './platform/http/connections/pipelining-limit.js';
import { readSecretsKey } from './platform/secrets/secrets-key-file.js';
import { checkReplica } from './platform/start/configured-replica.js';
import { waitForServers } from './platform/start/configured-servers.js';

const ONE_MACHINE_ONLY =
  'SECRETS_KEY is not set: webhook secrets, kept replies and links to results depend on a key that was made in DATA_DIR. Lose that folder, or start a process on another machine, and they cannot be read. Set SECRETS_KEY (openssl rand -base64 32) for every process.';

export interface RunningService {
  readonly embeddedParts: readonly EmbeddedPart[];
  /** The demonstration account, only where the database is embedded and HTTP is served. */
  readonly demonstration: Demonstration | null;
  /** Stops: accepts no new work, finishes running work, closes connections. */
  stop(): Promise<void>;
}

/**
 * Starts the role of `env.role`: servers of our own where none is configured, the schema, then the service itself.
 * @param stopping ends the wait for servers that do not answer yet; the promise rejects then
 * @throws ConfigurationError for a configuration that does not work, before anything is started where possible.
 * @throws ServerAwayError when a configured server does not answer in time
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
  deprecations = DEPRECATIONS,
): ReturnType<typeof createHttpApp> {
  const app = await createHttpApp(AppModule.register(env), env, logger);
  limitConnections(app.getHttpServer(), env, clientNetwork);
  limitPipelining(app.getHttpServer());
  tellDeprecations(app.getHttpAdapter().getInstance(), deprecations);
  setupOpenApi(app, deprecations, pageAsset('mark'));
  servePageAssets(app);
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

/** @param configured the environment before the start: a database that it does not name is our own */
async function startApi(env: ServiceEnv, configured: Env, logger: LoggerService): Promise<Started> {
  const app = await createServiceApp(env, logger);
  try {
    const demonstration = configured.databaseUrl === null ? await app.get(DemonstrationService).prepare() : null;
    // Another process may have taken the port since `checkPort`.
    await app.listen(env.port, env.host).catch((error: unknown) => {
      throw (error as NodeJS.ErrnoException).syscall === 'listen' ? portRefusal(env.host, env.port, error) : error;
    });
    return { demonstration, stop: () => stopHttpApp(app, logger) };
  } catch (error) {
    await app.close();
    throw error;
  }
}
