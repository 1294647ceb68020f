import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { LEASE_MS } from '../../src/batch/worker/chunk-leases.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch, readAnswers, readBatch } from '../support/batches.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startMailHostOfAll } from '../support/mail-host.js';
import { recipientOf } from '../support/mail-scripts.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';
import { startService } from '../support/service.js';

const GREYLISTED = '450 4.2.0 <x>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/';

let database: TestDatabase;
let account: FullAccount;

beforeEach(async () => {
  database = await createTestDatabase();
  onTestFinished(database.drop);
  account = await createFullAccount(database, { credits: 100 });
});

/** A mail host that replies to no RCPT until `open` is called. */
async function startMail() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const mail = await startMailHostOfAll({
    onLine: async (line) => {
      const recipient = recipientOf(line);
      if (recipient === null) return undefined;
      await opened;
      if (recipient.startsWith('grey')) return GREYLISTED;
      return recipient.startsWith('ok') ? undefined : '550 5.1.1 User unknown';
    },
  });
  return { ...mail, open: () => open() };
}

type Mail = Awaited<ReturnType<typeof startMail>>;

async function startWorker({ variables }: Mail): Promise<ServiceProcess> {
  const worker = await startProcess({
    ROLE: 'worker',
    DATABASE_URL: database.url,
    REDIS_URL: (await testRedis()).url,
    ...variables,
  });
  onTestFinished(async () => {
    worker.kill('SIGKILL');
    await worker.ended;
  });
  return worker;
}

it('a killed worker’s chunks are taken by another one before their leases expire', async () => {
  const mail = await startMail();
  const worker = await startWorker(mail);
  const id = await queueBatch(database.url, { ...account, emails: ['ok.a@example.com', 'no.b@example.com'] });
  await mail.smtp.until(() => mail.smtp.recipients.length > 0);
  worker.kill('SIGKILL');
  await worker.ended;
  mail.open();
  // Its clock stands still, so that it sees no lease expire.
  const now = Date.now();
  const other = await startService({ database, env: mail.env, clock: { now: () => now }, timer: SYSTEM_TIMER });
  onTestFinished(() => other.close());
  await expect.poll(async () => (await readBatch(database.url, id)).state).toBe('completed');
  expect(await readBatch(database.url, id)).toMatchObject({ counts: { valid: 1, invalid: 1 }, credits_charged: 2 });
});

it('a worker that was suspended until its leases had expired counts nothing twice when it goes on', async () => {
  const mail = await startMail();
  const worker = await startWorker(mail);
  const id = await queueBatch(database.url, {
    ...account,
    emails: ['ok.a@example.com', 'grey.b@example.org'],
    chunkSize: 1,
  });
  await mail.smtp.until(() => mail.smtp.recipients.length > 1);
  worker.kill('SIGSTOP');
  await onDatabase(
    database.url,
    `CREATE SEQUENCE tries;
     CREATE FUNCTION count_try() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('tries'); RETURN NEW; END $$;
     CREATE TRIGGER count_try BEFORE INSERT ON batch_results FOR EACH ROW EXECUTE FUNCTION count_try()`,
  );
  const tries = async () =>
    Number((await onDatabase(database.url, 'SELECT coalesce(pg_sequence_last_value($1), 0) AS n', ['tries']))[0]!['n']);

  mail.open();
  const other = await startService({
    database,
    env: mail.env,
    clock: { now: () => Date.now() + 1.5 * LEASE_MS },
    timer: SYSTEM_TIMER,
  });
  onTestFinished(() => other.close());
  await expect.poll(tries).toBe(2);
  await expect.poll(async () => (await readBatch(database.url, id)).credits_charged).toBe(1);
  const before = await readBatch(database.url, id);
  expect(before).toMatchObject({ state: 'processing', open_chunks: 1, counts: { valid: 1 } });

  worker.kill('SIGCONT');
  await expect.poll(tries).toBe(4);
  // A worker that could store nothing looks for further work, so by then its old unit is over.
  const next = await queueBatch(database.url, { ...account, emails: ['ok.c@example.com'] });
  await expect.poll(async () => (await readBatch(database.url, next)).state).toBe('completed');
  expect(await readBatch(database.url, id)).toEqual(before);
  expect((await readAnswers(database.url, id)).get('ok.a@example.com')).toHaveLength(1);
  expect((await other.app.get(CreditsAudit).run()).differing).toEqual([]);
  const [balance] = await onDatabase(database.url, 'SELECT available, reserved, used_total FROM credit_balances');
  expect(balance).toEqual({ available: '97', reserved: '1', used_total: '2' });
});
