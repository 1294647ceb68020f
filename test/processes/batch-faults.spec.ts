import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { MAX_ATTEMPTS } from '../../src/batch/worker/leased-chunk.js';
import { BatchWorker } from '../../src/batch/worker/batch-worker.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { onDatabase, queueBatch, readAnswers, readBatch } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type MailHostOfAll, startMailHostOfAll } from '../support/mail-host.js';
import { recipientOf } from '../support/mail-scripts.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';
import { startService, type TestService } from '../support/service.js';
import { startWebhookSink, TO_LOOPBACK } from '../support/webhook-sink.js';

const CREDITS = 10_000;

let database: TestDatabase;
let account: FullAccount;

beforeEach(async () => {
  database = await createTestDatabase();
  onTestFinished(database.drop);
  account = await createFullAccount(database, { credits: CREDITS });
});

/** Local parts that start with `u` exist. */
const honest = (line: string) => (/^RCPT TO:<(?!u)/.test(line) ? '550 5.1.1 User unknown' : undefined);

const addresses = (count: number) => Array.from({ length: count }, (_, i) => `u${i}@domain${i % 30}.example.com`);

async function expectExactCredits(charged: number): Promise<void> {
  const view = await createDataSource(database.url);
  expect((await new CreditsAudit(view).run()).differing).toEqual([]);
  await view.destroy();
  expect(await onDatabase(database.url, 'SELECT available, reserved, used_total FROM credit_balances')).toEqual([
    { available: String(CREDITS - charged), reserved: '0', used_total: String(charged) },
  ]);
}

/** Makes PostgreSQL refuse the results of one chunk. */
const breakDisk = (chunk: number) =>
  onDatabase(
    database.url,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the disk is broken'; END $$;
     CREATE TRIGGER refuse BEFORE INSERT ON batch_results FOR EACH ROW WHEN (NEW.chunk = ${chunk}) EXECUTE FUNCTION refuse();`,
  );
const mendDisk = () => onDatabase(database.url, 'DROP FUNCTION refuse CASCADE');

it('a chunk whose work fails each time fails its batch when all else is done; stored results stay, and only they are charged', async () => {
  const env = { ...TO_LOOPBACK, ...(await startMailHostOfAll({ onLine: honest })).env };
  const sink = await startWebhookSink();
  const api = await startService({ database, env: { ...env, role: 'api' }, timer: SYSTEM_TIMER });
  const emails = addresses(2_100);
  const body = { emails, webhook_url: sink.url() };
  const { id } = (await call(api, '/api/v1/verify/batch', { key: account.liveKey, body })).body;
  const path = `/api/v1/verify/batch/${id}`;
  await breakDisk(2);
  const time = { later: 0, now: () => Date.now() + time.later };
  const worker = await startService({ database, env, clock: time, timer: SYSTEM_TIMER });
  onTestFinished(async () => {
    await Promise.all([worker.close(), api.close()]);
    await sink.close();
  });

  const failed = await ended(worker, async () => {
    time.later += 11_000; // The pause after a fault.
    await worker.app.get(BatchWorker).wake();
  });
  const [broken] = await onDatabase(database.url, 'SELECT number, size, attempts FROM batch_chunks WHERE NOT done');
  expect(broken).toMatchObject({ number: 2, attempts: MAX_ATTEMPTS });
  const answered = emails.length - Number(broken!['size']);
  expect(failed).toMatchObject({
    status: 'failed',
    processed: answered,
    counts: { valid: answered, unknown: 0 },
    credits_reserved: 2_100,
    credits_charged: answered,
  });
  await expectExactCredits(answered);
  const { results } = (await call(api, `${path}/results?limit=10000`, { key: account.liveKey })).body;
  expect(results).toHaveLength(answered);
  const [, told] = await sink.until(2);
  expect(told!.body).toMatchObject({ type: 'batch.failed', data: { id, status: 'failed', processed: answered } });

  await mendDisk();
  const key = await createAdminKey(api);
  const { body: again } = await call(api, `/admin/v1/batches/${id}/retry`, { key, method: 'POST' });
  expect(again).toMatchObject({ id, status: 'queued' });
  expect(await ended(worker)).toMatchObject({ status: 'completed', processed: 2_100, counts: { valid: 2_100 } });
  const all = (await call(api, `${path}/results?limit=10000`, { key: account.liveKey })).body.results;
  expect(all.map(({ email }: { email: string }) => email)).toEqual(emails);
  await expectExactCredits(2_100);

  async function ended(service: TestService, meanwhile = async () => {}) {
    let status = (await call(service, path, { key: account.liveKey })).body;
    await expect
      .poll(async () => {
        await meanwhile();
        status = (await call(service, path, { key: account.liveKey })).body;
        return status.completed_at;
      })
      .not.toBeNull();
    return status;
  }
});

const startWorker = async ({ variables }: MailHostOfAll) =>
  startProcess({ ROLE: 'worker', DATABASE_URL: database.url, REDIS_URL: (await testRedis()).url, ...variables });

it('a chunk that kills every worker which begins it is given up at last, and no other chunk with it', async () => {
  let worker: ServiceProcess | undefined;
  let deaths = 0;
  const mail = await startMailHostOfAll({
    onLine: (line) => {
      if (!recipientOf(line)?.startsWith('poison')) return honest(line);
      deaths += 1;
      worker?.kill('SIGKILL');
      return null;
    },
  });
  const emails = addresses(100).with(42, 'poison@domain12.example.com');
  const id = await queueBatch(database.url, { ...account, emails, chunkSize: 10 });
  // As if it had killed workers before.
  await onDatabase(database.url, `UPDATE batch_chunks SET attempts = ${MAX_ATTEMPTS - 2} WHERE items LIKE '%poison%'`);
  onTestFinished(async () => {
    worker?.kill('SIGKILL');
    await worker?.ended;
  });

  for (let death = 0; death < 2; death++) {
    worker = await startWorker(mail);
    await worker.ended;
  }
  expect(deaths).toBe(2);
  worker = await startWorker(mail);
  await expect.poll(async () => (await readBatch(database.url, id)).state).toBe('failed');
  expect(deaths).toBe(2);
  const answers = await readAnswers(database.url, id);
  expect([...answers.values()].every((one) => one.length === 1)).toBe(true);
  expect(answers.size).toBe(90);
  expect(await readBatch(database.url, id)).toMatchObject({ open_chunks: 1, credits_charged: 90 });
  await expectExactCredits(90);
});
