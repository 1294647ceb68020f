import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { BatchWorker } from '../../src/batch/worker/batch-worker.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { writePersonRow } from '../../src/finder/person.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch, readBatch } from '../support/batches.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startMailHostOfAll } from '../support/mail-host.js';
import { recipientOf } from '../support/mail-scripts.js';
import { startService } from '../support/service.js';

const CHUNK = 100;

let database: TestDatabase;
let account: FullAccount;

beforeEach(async () => {
  database = await createTestDatabase();
  onTestFinished(database.drop);
  account = await createFullAccount(database, { credits: 1_000 });
});

/** A worker whose mail hosts answer no RCPT before `open` is called. */
async function startWorker() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const { env, smtp } = await startMailHostOfAll({
    onLine: async (line) => {
      const recipient = recipientOf(line);
      if (recipient === null) return undefined;
      await opened;
      return recipient.startsWith('ok') ? undefined : '550 5.1.1 User unknown';
    },
  });
  const service = await startService({ database, env, timer: SYSTEM_TIMER });
  onTestFinished(() => service.close());
  return { service, smtp, worker: service.app.get(BatchWorker), open: () => open() };
}

/** As another worker leases chunks that were free for a moment. */
const takeAway = (id: number, chunks: readonly number[]) =>
  onDatabase(
    database.url,
    `UPDATE batch_chunks SET lease_owner = gen_random_uuid(), worker_id = NULL, lease_expires_at = now() + interval '1 hour'
      WHERE batch_id = $1 AND number = ANY ($2)`,
    [id, chunks],
  );

describe('a worker that has lost chunks to another one', () => {
  it('a worker that has lost chunks to another one asks about no more of their addresses, and ends the others', async () => {
    const { service, smtp, worker, open } = await startWorker();
    const emails = Array.from({ length: 3 * CHUNK }, (_, i) => `ok.u${i}@domain.example.com`);
    const id = await queueBatch(database.url, { ...account, emails, chunkSize: CHUNK });
    // All partitions of the test's batch are of one worker.
    await smtp.until(() => smtp.recipients.length > 0);
    await expect.poll(() => worker.itemsInHand).toBe(3 * CHUNK);
    await takeAway(id, [1]);
    await expect.poll(() => worker.itemsInHand).toBeLessThanOrEqual(2 * CHUNK + smtp.recipients.length);
    const named = new Set(smtp.recipients);
    open();
    await expect.poll(() => worker.itemsInHand).toBe(0);
    const lost = new Set(emails.slice(CHUNK, 2 * CHUNK));
    expect(smtp.recipients.filter((one) => lost.has(one) && !named.has(one))).toEqual([]);
    const asked = new Set(smtp.recipients);
    for (const email of emails) expect(asked.has(email)).toBe(!lost.has(email) || named.has(email));
    await expect.poll(() => readBatch(database.url, id)).toMatchObject({ open_chunks: 1, credits_charged: 2 * CHUNK });
    expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
  });

  it('a worker that has lost chunks to another one searches for no more of their people, and ends the others', async () => {
    const { smtp, worker, open } = await startWorker();
    const people = Array.from({ length: 90 }, (_, i) =>
      writePersonRow({ first: 'Jane', last: `Smith` }, `company${i}.example.com`)!,
    );
    const id = await queueBatch(database.url, { ...account, emails: people, chunkSize: 30, kind: 'find' });
    await smtp.until(() => smtp.recipients.length > 0);
    await takeAway(id, [2]);
    // The next sweeps find it out, while the first searches wait for their hosts.
    const renewals = () =>
      onDatabase(database.url, 'SELECT max(lease_expires_at)::text AS at FROM batch_chunks WHERE number = 0');
    const [before] = await renewals();
    await expect.poll(async () => (await renewals())[0]!['at']).not.toBe(before!['at']);
    open();
    await expect.poll(() => worker.itemsInHand).toBe(0);
    await expect.poll(async () => (await readBatch(database.url, id)).open_chunks).toBe(1);
    const asked = smtp.recipients.filter((recipient) => /@company[678]\d\./.test(recipient));
    expect(asked).toEqual([]);
  });
});
