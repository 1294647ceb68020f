import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { LEASE_MS } from '../../src/batch/worker/chunk-leases.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch, readAnswers, readBatch } from '../support/batches.js';
import { startMailHostOfAll } from '../support/mail-host.js';
import { recipientOf } from '../support/mail-scripts.js';
import { startOwnPostgres } from '../support/own-postgres.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';

const ADDRESSES = 6_000;
const CHUNK = 100;
/** So that much is left to be asked when the leases end. */
const LATENCY_MS = 400;
const SOURCES = { a: '127.0.1.1', b: '127.0.2.1' } as const;
const GREYLISTED = '450 4.2.0 <x>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/';

it.each([
  ['goes on before statements are given up', 13_000],
  ['goes on when the workers have given up their connections', 22_000],
])(
  'a PostgreSQL that is silent for longer than a lease and %s costs no question: workers stop in time, keep what they know, and greylisted recipients are asked from their own source',
  async (_, silentMs) => {
    const database = await startOwnPostgres();
    onTestFinished(database.drop);
    const account = await createFullAccount(database, { credits: ADDRESSES });
    const directory = mkdtempSync(join(tmpdir(), 'silence-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const egressFile = join(directory, 'egress.json');
    const sources = Object.entries(SOURCES).map(([name, address]) => {
      return { name, address, helo: `${name}.example.net`, mail_from: `probe@${name}.example.net` };
    });
    writeFileSync(egressFile, JSON.stringify({ sources }));

    /** From where each recipient was asked about, every time. */
    const askers = new Map<string, string[]>();
    const mail = await startMailHostOfAll({
      onLine: async (line, { from }) => {
        const recipient = recipientOf(line);
        if (recipient === null) return undefined;
        const before = askers.get(recipient) ?? [];
        askers.set(recipient, [...before, from]);
        await delay(LATENCY_MS);
        if (!/^(ok|grey)\./.test(recipient)) return '550 5.1.1 User unknown';
        return recipient.startsWith('grey') && !before.includes(from) ? GREYLISTED : undefined;
      },
    });
    const environment = {
      ROLE: 'worker',
      DATABASE_URL: database.url,
      REDIS_URL: (await testRedis()).url,
      EGRESS_FILE: egressFile,
      BATCH_RETRY_WINDOW_SECONDS: '12',
      ...mail.variables,
    };
    const workers: ServiceProcess[] = await Promise.all([startProcess(environment), startProcess(environment)]);
    onTestFinished(async () => {
      for (const worker of workers) worker.kill('SIGKILL');
      await Promise.all(workers.map(({ ended }) => ended));
    });

    const kindOf = (i: number) => (i % 10 === 1 ? 'grey' : i % 10 === 2 ? 'no' : 'ok');
    const emails = Array.from(
      { length: ADDRESSES },
      (_, i) => `${kindOf(i)}.u${i}@domain${Math.floor(i / CHUNK) % 8}.example.com`,
    );
    const id = await queueBatch(database.url, { ...account, emails, chunkSize: CHUNK });
    // One of the workers has all of it: the other one would like to have some.
    const passes = () => onDatabase(database.url, 'SELECT 1 FROM batch_results');
    await expect.poll(async () => (await passes()).length).toBeGreaterThan(0);

    database.hang();
    const silentAt = performance.now();
    const named = { count: 0, at: silentAt };
    const quietMs = (): number => {
      const { length } = mail.smtp.recipients;
      if (length > named.count) Object.assign(named, { count: length, at: performance.now() });
      return performance.now() - named.at;
    };
    await expect.poll(quietMs).toBeGreaterThan(2_500);
    expect(named.at - silentAt).toBeLessThan(LEASE_MS);
    expect(named.count).toBeLessThan(ADDRESSES - 500);
    await expect.poll(() => performance.now() - silentAt).toBeGreaterThan(silentMs);
    database.resume();
    await expect.poll(async () => (await readBatch(database.url, id)).state).toBe('completed');

    const again = { needless: 0, elsewhere: 0 };
    for (const email of emails) {
      const from = askers.get(email)!;
      again.needless += from.length - (email.startsWith('grey') ? 2 : 1);
      if (new Set(from).size > 1) again.elsewhere += 1;
    }
    expect(again).toEqual({ needless: 0, elsewhere: 0 });
    const answers = await readAnswers(database.url, id);
    expect(answers.size).toBe(ADDRESSES);
    for (const [email, results] of answers)
      expect(results.map(({ verification }) => verification.verdict)).toEqual([
        email.startsWith('no') ? 'invalid' : 'valid',
      ]);
    expect(await readBatch(database.url, id)).toMatchObject({ open_chunks: 0, credits_charged: ADDRESSES });
    const [balance] = await onDatabase(database.url, 'SELECT available, reserved, used_total FROM credit_balances');
    expect(balance).toEqual({ available: '0', reserved: '0', used_total: String(ADDRESSES) });
    const view = await createDataSource(database.url);
    onTestFinished(() => view.destroy());
    expect((await new CreditsAudit(view).run()).differing).toEqual([]);
  },
);
