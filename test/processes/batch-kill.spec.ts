import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { expect, it, onTestFinished } from 'vitest';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch, readAnswers, readBatch } from '../support/batches.js';
import { createTestDatabase } from '../support/database.js';
import { startMailHostOfAll } from '../support/mail-host.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';

/** `KILL_ROUNDS=20 npx vitest run test/processes/batch-kill.spec.ts` for a longer look; `npm run bench:kill` kills all there is. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 2);
const ADDRESSES = 2_000;
/** So that there is a middle to be killed in. */
const LATENCY_MS = 20;

it('a batch whose workers are killed completes by itself, with one verdict for each address and exact credits', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const account = await createFullAccount(database, { credits: ADDRESSES * ROUNDS });
  const mail = await startMailHostOfAll({
    onLine: async (line) => {
      if (!line.startsWith('RCPT')) return undefined;
      await delay(LATENCY_MS);
      return line.startsWith('RCPT TO:<ok') ? undefined : '550 5.1.1 User unknown';
    },
  });
  const environment = {
    ROLE: 'worker',
    DATABASE_URL: database.url,
    REDIS_URL: (await testRedis()).url,
    ...mail.variables,
    LOG_LEVEL: 'info',
  };
  const workers: ServiceProcess[] = await Promise.all([startProcess(environment), startProcess(environment)]);
  onTestFinished(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
  });

  for (let round = 0; round < ROUNDS; round++) {
    const emails = Array.from(
      { length: ADDRESSES },
      (_, i) => `${i % 20 === 0 ? 'no' : 'ok'}.r${round}u${i}@domain${i % 20}.example.com`,
    );
    const id = await queueBatch(database.url, { ...account, emails, chunkSize: 20 });
    await expect.poll(async () => (await readBatch(database.url, id)).open_chunks, { interval: 10 }).toBeLessThan(95);
    const doomed = workers.shift()!;
    doomed.kill('SIGKILL');
    await doomed.ended;
    expect((await readBatch(database.url, id)).state).toBe('processing');
    workers.push(await startProcess(environment));
    await expect.poll(async () => (await readBatch(database.url, id)).state, { interval: 100 }).toBe('completed');

    const answers = await readAnswers(database.url, id);
    expect(answers.size).toBe(ADDRESSES);
    for (const [email, results] of answers)
      expect(results.map(({ verification }) => verification.verdict)).toEqual([
        email.startsWith('ok') ? 'valid' : 'invalid',
      ]);
    expect(await readBatch(database.url, id)).toMatchObject({ open_chunks: 0, credits_charged: ADDRESSES });
  }
  const [balance] = await onDatabase(database.url, 'SELECT available, reserved, used_total FROM credit_balances');
  expect(balance).toEqual({ available: '0', reserved: '0', used_total: String(ADDRESSES * ROUNDS) });
  const view: DataSource = await createDataSource(database.url);
  onTestFinished(() => view.destroy());
  expect((await new CreditsAudit(view).run()).differing).toEqual([]);
});
