import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceEnv } from '../../src/app.module.js';
import type { Deprecations } from '../../src/discovery/deprecation/deprecations.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../src/platform/clock.js';
import { type Env, loadEnv } from '../../src/platform/config/env.js';
import { KEY_POLICIES, type KeyPolicies } from '../../src/platform/config/policies.js';
import { createServiceApp } from '../../src/http-service.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { KNOWN_DOMAIN, NO_DNS_SERVER } from './dns-server.js';
import { NO_TIMER } from './manual-clock.js';
import { testRedis } from './redis.js';

export interface TestServiceOptions {
  /** What differs from the defaults; the database and Redis are the test's own unless they are named. */
  readonly env?: Partial<Env>;
  /** A database to share with another service; it stays when this one closes. */
  readonly database?: TestDatabase;
  /** Takes the place of the time of day. */
  readonly clock?: Pick<WallClock, 'now'>;
  /** The default is `NO_TIMER`: nothing is done because its time has come, but by the test. */
  readonly timer?: Timer;
  /** Takes the place of `DEPRECATIONS`. */
  readonly deprecations?: Deprecations;
}

export interface TestService {
  /** `http://127.0.0.1:PORT`; also what documents and links say. */
  readonly url: string;
  readonly app: NestFastifyApplication;
  readonly env: ServiceEnv;
  close(): Promise<void>;
}

/** The real service in this process, on a free port, with a database and a Redis of its own. */
export async function startService({
  env = {},
  database,
  clock,
  timer = NO_TIMER,
  deprecations,
}: TestServiceOptions = {}): Promise<TestService> {
  const own = database ?? (await createTestDatabase());
  const serviceEnv = {
    ...loadEnv({}),
    dnsServers: [NO_DNS_SERVER],
    dnsKnownDomains: [KNOWN_DOMAIN],
    // Any free one: tests run beside each other.
    inboundPort: 0,
    secretsKey: '11'.repeat(32),
    // All tests call from one address, many of them with keys that are no good.
    failedKeysPerMinute: 1_000_000,
    databaseUrl: own.url,
    redisUrl: (await testRedis()).url,
    ...env,
  } as ServiceEnv & { publicUrl: string };
  const app = await createServiceApp(serviceEnv, false, deprecations);
  if (clock) Object.assign(app.get<WallClock>(CLOCK), { now: () => clock.now() });
  Object.assign(app.get<Timer>(TIMER), { after: timer.after.bind(timer) });
  await app.listen(0, '127.0.0.1');
  // Known only now that the system has chosen the port; nobody asks for it before the first request.
  serviceEnv.publicUrl = env.publicUrl ?? (await app.getUrl());
  return {
    url: await app.getUrl(),
    app,
    env: serviceEnv,
    async close() {
      await app.close();
      if (!database) await own.drop();
    },
  };
}

/** Lets every caller ask as often as it likes: for tests of thousands of requests, which would wait for their rates. */
export function liftRates({ app }: Pick<TestService, 'app'>): void {
  for (const policy of Object.values(app.get<KeyPolicies>(KEY_POLICIES)))
    Object.assign(policy, { rate: { kind: 'bucket', perSecond: 1_000_000, burst: 1_000_000 } });
}
