import { expect, it, onTestFinished, vi } from 'vitest';
import { IdempotencyClaim } from '../../src/idempotency/idempotency-claim.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createTestDatabase } from '../support/database.js';

it('what was to happen after the commit is dropped with the work that was rolled back', async () => {
  const database = await createTestDatabase();
  const dataSource = await createDataSource(database.url);
  onTestFinished(async () => {
    await dataSource.destroy();
    await database.drop();
  });
  const [dropped, done] = [vi.fn<() => Promise<void>>(), vi.fn<() => Promise<void>>()];
  const claim = new IdempotencyClaim(dataSource);
  claim.afterCommit(dropped);
  await expect(claim.transaction(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  claim.afterCommit(done);
  await claim.commit(async () => undefined);
  expect([dropped, done].map((act) => act.mock.calls.length)).toEqual([0, 1]);
});
