import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { type Demonstration, DemonstrationService } from './admin/demonstration.service.js';
import { AppModule, type ServiceEnv } from './app.module.js';
import { DEPRECATIONS, tellDeprecations } from './discovery/openapi/deprecations.js';
import { setupOpenApi } from './discovery/openapi.js';
import { createHttpApp, stopHttpApp } from './http.js';
import { clientNetwork } from './keys/scope/networks.js';
import { UnknownPathsGuard } from './keys/limits/rate-limit.guard.js';
import type { Env } from './platform/config/env.js';
import { portRefusal } from './platform/config/check-port.js';
import { limitConnections, limitPipelining } from './platform/http/connection-limits.js';
import { beginInTurns } from './platform/http/request-turns.js';
import { pageAsset, BUILT_PAGES } from './platform/http/built-pages.js';
import { join } from 'node:path';

export interface Started {
  readonly context: INestApplicationContext;
  /** The demonstration account, only where the database is embedded and HTTP is served. */
  readonly demonstration: Demonstration | null;
  stop(): Promise<void>;
}

/** The feature modules that `env.role` names behind the edge, with the documents about them. Not initialised yet. */
export async function createServiceApp(
  env: ServiceEnv,
  logger: LoggerService | false,
  deprecations = DEPRECATIONS,
): ReturnType<typeof createHttpApp> {
  const app = await createHttpApp(await AppModule.register(env), env, logger);
  limitConnections(app.getHttpServer(), env, clientNetwork);
  beginInTurns(app.getHttpServer());
  // Counts those that wait for their turn, too.
  limitPipelining(app.getHttpServer());
  app.get(UnknownPathsGuard).watch(app.getHttpAdapter().getInstance());
  tellDeprecations(app.getHttpAdapter().getInstance(), deprecations);
  setupOpenApi(app, deprecations, pageAsset('mark'));
  servePageAssets(app);
  return app;
}

/** @param configured the environment before the start: a database that it does not name is our own */
export async function startApi(env: ServiceEnv, configured: Env, logger: LoggerService): Promise<Started> {
  const app = await createServiceApp(env, logger);
  try {
    const demonstration = configured.databaseUrl === null ? await app.get(DemonstrationService).prepare() : null;
    // Another process may have taken the port since `checkPort`.
    await app.listen(env.port, env.host).catch((error: unknown) => {
      throw (error as NodeJS.ErrnoException).syscall === 'listen' ? portRefusal(env.host, env.port, error) : error;
    });
    return { context: app, demonstration, stop: () => stopHttpApp(app, logger) };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Serves scripts, styles and images of the pages. Their names hold a hash of their contents, so a browser asks for each once. */
function servePageAssets(app: Awaited<ReturnType<typeof createHttpApp>>): void {
  app.useStaticAssets({
    root: join(BUILT_PAGES, 'assets'),
    prefix: '/console/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    maxAge: '365d',
    immutable: true,
  });
}
