import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { createHttpApp, stopHttpApp } from './http.js';
import type { Env } from './platform/config/env.js';
import { loadPolicies } from './platform/config/policies.js';
import { runMigrations } from './platform/database/migrate.js';
import { type EmbeddedPart, startEmbedded } from './platform/embedded/embedded.js';
import { checkPort } from './platform/http/check-port.js';

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
  return () => stopHttpApp(app, logger);
}
