import { expect, it, onTestFinished } from 'vitest';
import { loadEnv } from '../../src/platform/config/env.js';
import { ConfigurationError } from '../../src/platform/config/configuration-error.js';
import { StopSteps } from '../../src/platform/health/stop-steps.js';
import { startService } from '../../src/service.js';
import { createTestDatabase } from '../support/database.js';
import { freePort } from '../support/process.js';
import { testRedis } from '../support/redis.js';

const SILENT = { log: () => {}, error: () => {}, warn: () => {} };

it('of two services that start on one port at once, the second is refused in a sentence that names PORT', async () => {
  const port = await freePort();
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { url: redisUrl } = await testRedis();
  const env = { ...loadEnv({}), host: '127.0.0.1', port, databaseUrl: database.url, redisUrl };
  const starting = [1, 2].map(() => startService({ ...env, secretsKey: '11'.repeat(32) }, SILENT));
  const started = await Promise.allSettled(starting);
  for (const one of started) if (one.status === 'fulfilled') await one.value.stop(new StopSteps('the start'));
  const [refused] = started.filter((one) => one.status === 'rejected');
  expect(started.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(refused!.reason).toBeInstanceOf(ConfigurationError);
  expect(refused!.reason.message).toMatch(
    new RegExp(`^PORT is "${port}": allowed is a port that nothing else listens on [^\\n]+$`),
  );
});
