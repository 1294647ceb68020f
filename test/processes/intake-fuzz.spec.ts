import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyRoutes, fuzzIntake } from '../../bench/fuzz/intake/run.js';
import { createFullAccount } from '../support/accounts.js';
import { register } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';

/* `npm run fuzz -- --intake 20000` sends others, from another seed each time. */
const REQUESTS = 400;
const SEED = 20_261_122;
/* Seconds on cores of its own. */
const TIMEOUT_MS = 120_000;

let database: TestDatabase;
let service: ServiceProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startProcess({
    DATABASE_URL: database.url,
    REDIS_URL: (await testRedis()).url,
    SECRETS_KEY: '11'.repeat(32),
    REGISTRATIONS_PER_HOUR: '1000',
    REGISTRATIONS_PER_DAY: '1000',
    // Nobody answers there: live keys ask nobody about anything.
    DNS_SERVERS: '127.0.0.1:9',
  });
});

afterAll(async () => {
  service.kill('SIGKILL');
  await service.ended;
  await database.drop();
});

it(
  `${REQUESTS} whole and broken requests to every route with a body are answered as documented, and nobody is left waiting`,
  async () => {
    const accounts = await Promise.all(Array.from({ length: 3 }, () => createFullAccount(database)));
    const keys = [...accounts.flatMap(({ testKey, liveKey }) => [testKey, testKey, liveKey]), await register(service)];
    const port = Number(new URL(service.url).port);
    const routes = await bodyRoutes(port);
    expect(routes.length).toBeGreaterThan(15);
    expect(await fuzzIntake({ port, routes, keys, requests: REQUESTS, seed: SEED })).toEqual([]);
    const faults = service
      .output()
      .split('\n')
      .filter((line) => /"level":"(error|fatal)"/.test(line));
    expect(faults).toEqual([]);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    // Nothing of them is left that a stop would have to wait for.
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(service.output()).not.toContain('still running');
  },
  TIMEOUT_MS,
);
