import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { createHttpApp } from './http.js';
import type { Env } from './platform/config/env.js';
import { loadPolicies } from './platform/config/policies.js';
import { runMigrations } from './platform/database/migrate.js';
import { type EmbeddedPart, startEmbedded } from './platform/embedded/embedded.js';
import { Drain } from './platform/health/drain.js';
import { checkPort } from './platform/http/check-port.js';

/* Orchestrators kill after 30 s; what is left of it belongs to jobs, pools and embedded servers. */
const FINISH_WITHIN_MS = 25_000;

export interface RunningService {
  readonly embeddedParts: readonly EmbeddedPart[];
  /** Accepts nothing new, finishes what runs, closes what is open. */
  stop(): Promise<void>;
}

/**
 * Starts what `env.role` says: servers of our own where none is configured, the schema, then the service itself.
 * @throws ConfigurationError when something configured does not work, before anything is started where that can be known.
 */
export async function startService(env: Env, logger: LoggerService): Promise<RunningService> {
  const log = (line: string): void => logger.log(line, 'Start');
  loadPolicies(env);
  if (env.role !== 'worker') await checkPort(env.host, env.port);
  const embedded = await startEmbedded(env, log);
  try {
    await runMigrations(embedded.databaseUrl, log);
    const module = AppModule.register({ ...env, databaseUrl: embedded.databaseUrl, redisUrl: embedded.redisUrl });
    const stopApp = env.role === 'worker' ? await startWorker(module, logger) : await startApi(module, env, logger);
    return {
      embeddedParts: embedded.parts,
      stop: async () => {
        await stopApp();
        await embedded.stop();
      },
    };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

type Stop = () => Promise<void>;
type AppModuleOf = ReturnType<typeof AppModule.register>;

async function startWorker(module: AppModuleOf, logger: LoggerService): Promise<Stop> {
  const app: INestApplicationContext = await NestFactory.createApplicationContext(module, {
    logger,
    abortOnError: false,
  });
  return () => app.close();
}

async function startApi(module: AppModuleOf, env: Env, logger: LoggerService): Promise<Stop> {
  const app = await createHttpApp(module, env, logger);
  try {
    await app.listen(env.port, env.host);
  } catch (error) {
    await app.close();
    throw error;
  }
  return () => stopApi(app, logger);
}

/** Rooms close their pools only when the requests that use them have ended, so those are waited for first. */
export async function stopApi(
  app: NestFastifyApplication,
  logger: LoggerService,
  finishWithinMs = FINISH_WITHIN_MS,
): Promise<void> {
  const server = app.getHttpServer();
  const finished = app.get(Drain).start(finishWithinMs);
  server.close();
  const left = await finished;
  if (left > 0) {
    logger.warn(`${left} requests were still running after ${finishWithinMs / 1000} s and are cut off.`, 'Stop');
    server.closeAllConnections();
  }
  await app.close();
}
