import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { writePersonRow } from '../../src/finder/person.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch, readBatch } from '../support/batches.js';
import { createTestDatabase } from '../support/database.js';
import { startMailHostOfAll } from '../support/mail-host.js';
import { recipientOf } from '../support/mail-scripts.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';

/** `KILL_ROUNDS=20 npx vitest run test/worker/finder-batch-kill.spec.ts` for a longer look. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 2);
const FIRST = ['Jane', 'John', 'Mary', 'Peter', 'Anna', 'Paul', 'Laura', 'Mark', 'Emma', 'Luke'];
const LAST = ['Smith', 'Brown', 'Taylor', 'Wilson', 'Miller'];
const CREDITS = FIRST.length * LAST.length * ROUNDS;
const CHUNK = 2;
/** So that there is a middle to be killed in. */
const LATENCY_MS = 10;

/** Every fourth domain knows nobody, the others know their people as first.last. */
const isKnown = (domain: string) => Number(/\d+/.exec(domain)![0]) % 4 !== 0;

/** Each at a domain of their own. @returns the row of a batch and the address, null for who has none */
function peopleOf(round: number): { row: string; email: string | null }[] {
  return FIRST.flatMap((first, i) =>
    LAST.map((last, j) => {
      const domain = `company${round * 1000 + i * LAST.length + j}.example.com`;
      const email = isKnown(domain) ? `${first}.${last}@${domain}`.toLowerCase() : null;
      return { row: writePersonRow({ first, last }, domain)!, email };
    }),
  );
}

interface StoredPass {
  readonly results: readonly {
    readonly offset: number;
    readonly found: { readonly finding: { readonly email: string | null } };
  }[];
}

it('a batch of people whose workers are killed completes by itself, with one answer for each of them, and each found person is charged once', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const account = await createFullAccount(database, { credits: CREDITS });
  const mail = await startMailHostOfAll({
    onLine: async (line) => {
      const recipient = recipientOf(line);
      if (recipient === null) return undefined;
      await delay(LATENCY_MS);
      const [local, domain] = recipient.split('@') as [string, string];
      const [first, last] = local.split('.');
      const exists = isKnown(domain) && FIRST.some((one) => one.toLowerCase() === first) && last !== undefined;
      return exists ? undefined : '550 5.1.1 User unknown';
    },
  });
  const environment = {
    ROLE: 'worker',
    DATABASE_URL: database.url,
    REDIS_URL: (await testRedis()).url,
    ...mail.variables,
  };
  const workers: ServiceProcess[] = await Promise.all([startProcess(environment), startProcess(environment)]);
  onTestFinished(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
  });

  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const people = peopleOf(round);
    const emails = people.map(({ row }) => row);
    const id = await queueBatch(database.url, { ...account, emails, chunkSize: CHUNK, kind: 'find' });
    await expect
      .poll(async () => (await readBatch(database.url, id)).open_chunks, { interval: 5 })
      .toBeLessThan(people.length / CHUNK);
    const doomed = workers.shift()!;
    doomed.kill('SIGKILL');
    await doomed.ended;
    workers.push(await startProcess(environment));
    await expect.poll(async () => (await readBatch(database.url, id)).state, { interval: 100 }).toBe('completed');

    const stored = await onDatabase(
      database.url,
      'SELECT chunk, results FROM batch_results WHERE batch_id = $1 ORDER BY chunk',
      [id],
    );
    const answers = stored.flatMap(({ chunk, results }) =>
      (JSON.parse(results as string) as StoredPass).results.map(({ offset, found: { finding } }) => ({
        row: Number(chunk) * CHUNK + offset,
        email: finding.email,
      })),
    );
    expect(answers.toSorted((a, b) => a.row - b.row)).toEqual(people.map(({ email }, row) => ({ row, email })));
    const paid = people.filter(({ email }) => email !== null).length;
    expect(await readBatch(database.url, id)).toMatchObject({ open_chunks: 0, credits_charged: paid });
    found += paid;
  }
  const [balance] = await onDatabase(database.url, 'SELECT available, reserved, used_total FROM credit_balances');
  expect(balance).toEqual({ available: String(CREDITS - found), reserved: '0', used_total: String(found) });
  const view = await createDataSource(database.url);
  onTestFinished(() => view.destroy());
  expect((await new CreditsAudit(view).run()).differing).toEqual([]);
});
