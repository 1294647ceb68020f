import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { IdempotencyService } from '../../src/idempotency/idempotency.service.js';
import type { IdempotentRequest } from '../../src/idempotency/idempotent-request.js';
import { IdempotencyStore } from '../../src/idempotency/idempotency.store.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { Secrets } from '../../src/platform/config/secrets.js';
import { createTestDatabase } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';

it('a key whose request failed with the database can be used again within a second of its return', async () => {
  const database = await createTestDatabase();
  const dataSource = await createDataSource(database.url);
  const clock = new ManualClock();
  const secrets = new Secrets(randomBytes(32).toString('base64'));
  const keys = new IdempotencyService(dataSource, new IdempotencyStore(dataSource), secrets, clock, clock);
  keys.onModuleInit();
  onTestFinished(async () => {
    await keys.onModuleDestroy();
    await dataSource.destroy();
    await database.drop();
  });
  const request: IdempotentRequest = {
    requester: { keyId: 'k', accountId: null, kind: 'agent', simulated: false },
    route: 'POST /api/v1/verify',
    key: 'once',
    fingerprint: randomBytes(32),
  };
  const lost = keys.once(request, async () => {
    await dataSource.query('ALTER TABLE idempotency_keys RENAME TO away');
    throw new Error('the database went away');
  });
  await expect(lost).rejects.toThrow('the database went away');
  await dataSource.query('ALTER TABLE away RENAME TO idempotency_keys');
  const ask = () => keys.once(request, () => Promise.resolve({ status: 200, headers: {}, body: '{"done":true}' }));
  await expect(ask()).rejects.toMatchObject({ code: 'idempotency_in_progress' });
  clock.advance(1_000);
  await expect.poll(() => ask().catch(() => null)).toMatchObject({ replayed: false });
});
