import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey, runAdmin } from '../support/admin.js';
import { onDatabase, queueBatch, readAnswers, readBatch } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase } from '../support/database.js';
import { held } from '../support/held.js';
import { startMailHostOfAll } from '../support/mail-host.js';
import { recipientOf } from '../support/mail-scripts.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';
import { scrape } from '../support/scrape.js';
import { startService } from '../support/service.js';

const LARGE = 300;
/** Of the region's large batch so many are answered; the host says nothing of the others until their worker is dead. */
const ANSWERED = 100;
const CREDITS = 1_000;
const FROM = { eu: '127.0.1.1', us: '127.0.2.1' } as const;
type Region = keyof typeof FROM;
/** Whose accounts there are, and from where their addresses may be asked for. */
const OWNERS = { eu: [FROM.eu], us: [FROM.us], any: [FROM.eu, FROM.us] } as const;
type Owner = keyof typeof OWNERS;

interface Batch {
  readonly id: number;
  readonly owner: Owner;
  readonly emails: readonly string[];
}

it('a batch whose region loses its worker in the middle waits for another one of the region, while others are worked on, and everybody is told of it', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const directory = mkdtempSync(join(tmpdir(), 'regions-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const egressFile = join(directory, 'egress.json');
  const sources = Object.entries(FROM).map(([region, address]) => {
    return { name: region, region, address, helo: `${region}.example.net`, mail_from: `probe@${region}.example.net` };
  });
  writeFileSync(egressFile, JSON.stringify({ sources }));

  /** From where each recipient was asked about, every time. */
  const askers = new Map<string, string[]>();
  const [middle, death] = [held<void>(), held<void>()];
  let answers = 0;
  const mail = await startMailHostOfAll({
    onLine: async (line, { from }) => {
      const recipient = recipientOf(line);
      if (recipient === null) return undefined;
      askers.set(recipient, [...(askers.get(recipient) ?? []), from]);
      if (recipient.includes('@eu-large') && ++answers > ANSWERED) {
        middle.resolve();
        await death.promise;
      }
      return recipient.startsWith('ok') ? undefined : '550 5.1.1 User unknown';
    },
  });
  const redisUrl = (await testRedis()).url;
  const workers: ServiceProcess[] = [];
  onTestFinished(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
  });
  const startWorker = async (region: Region): Promise<ServiceProcess> => {
    const place = { DATABASE_URL: database.url, REDIS_URL: redisUrl, EGRESS_FILE: egressFile, REGION: region };
    const worker = await startProcess({ ROLE: 'worker', ...place, ...mail.variables });
    workers.push(worker);
    return worker;
  };

  const api = await startService({ database, env: { role: 'api', egressFile, metricsPort: 0 }, timer: SYSTEM_TIMER });
  onTestFinished(() => api.close());
  const adminKey = await createAdminKey(api);
  const admin = async (path: string) => call(api, `/admin/v1${path}`, { key: adminKey });
  const status = async (): Promise<string> => {
    return (await runAdmin(api, 'status')).out;
  };
  const accounts = {} as Record<Owner, FullAccount>;
  for (const owner of Object.keys(OWNERS) as Owner[]) {
    accounts[owner] = await createFullAccount(database, { credits: CREDITS });
    const region = owner === 'any' ? null : owner;
    const path = `/admin/v1/accounts/${accounts[owner].accountId}`;
    const changed = await call(api, path, { key: adminKey, method: 'PATCH', body: { region } });
    expect(changed.body.region).toBe(region);
  }
  const batches: Batch[] = [];
  const queue = async (owner: Owner, name: string, size: number, chunkSize: number): Promise<Batch> => {
    const emails = Array.from(
      { length: size },
      (_, i) => `${i % 20 === 0 ? 'no' : 'ok'}.${i}@${owner}-${name}${i % 10}.example.com`,
    );
    const id = await queueBatch(database.url, { accountId: accounts[owner].accountId, emails, chunkSize });
    const batch = { id, owner, emails };
    batches.push(batch);
    return batch;
  };
  const stateOf = async ({ id }: Batch) => (await readBatch(database.url, id)).state;

  const [doomed] = await Promise.all([startWorker('eu'), startWorker('us')]);
  const large = await queue('eu', 'large', LARGE, 20);
  await middle.promise;
  doomed.kill('SIGKILL');
  await doomed.ended;
  death.resolve();
  // What has begun may be taken by another worker at once, not only after ten seconds.
  await onDatabase(
    database.url,
    `UPDATE batch_chunks SET lease_expires_at = now() - interval '1 second' WHERE lease_owner IS NOT NULL`,
  );

  // Workers of other regions have enough time to take it: they look for work and do what they find.
  const waiting = await queue('eu', 'late', 4, 1_000);
  for (const owner of ['us', 'any'] as const) {
    const others = [await queue(owner, 'large', 60, 20), await queue(owner, 'small', 4, 1_000)];
    for (const batch of others) await expect.poll(() => stateOf(batch)).toBe('completed');
  }
  const openChunks = async () => (await readBatch(database.url, large.id)).open_chunks;
  const left = await openChunks();
  expect(left).toBeGreaterThan(0);

  const oldest = Math.min(large.id, waiting.id);
  const unworkedRegions = async () => (await admin('/workers')).body.unworked_regions;
  await expect.poll(unworkedRegions).toEqual([{ region: 'eu', batches: 2, oldest_batch_id: oldest }]);
  expect((await admin('/workers')).body.workers.map(({ region }: { region: string }) => region)).toEqual(['us']);
  const unworked = async () => (await scrape(api)).valueOf('mailsonde_batch_region_unworked');
  await expect.poll(unworked).toBe(2);
  expect(await status()).toContain(
    `No worker of the region eu is alive (REGION=eu): 2 batches wait, the first is ${oldest}`,
  );
  const told = async ({ id }: Batch) =>
    (await call(api, `/api/v1/verify/batch/${id}`, { key: accounts.eu.liveKey })).body;
  expect(await told(large)).toMatchObject({ status: 'processing', completed_at: null });
  expect(await told(waiting)).toMatchObject({ status: 'queued', processed: 0 });
  expect(await openChunks()).toBe(left);

  await startWorker('eu');
  for (const batch of batches) await expect.poll(() => stateOf(batch)).toBe('completed');
  await expect.poll(unworkedRegions).toEqual([]);
  await expect.poll(unworked).toBeNull();

  for (const { id, owner, emails } of batches) {
    const stored = await readAnswers(database.url, id);
    expect([...stored.keys()].toSorted()).toEqual(emails.toSorted());
    for (const [email, results] of stored) {
      expect(results.map(({ verification }) => verification.verdict)).toEqual([
        email.startsWith('ok') ? 'valid' : 'invalid',
      ]);
      expect(OWNERS[owner]).toEqual(expect.arrayContaining(askers.get(email)!));
      // A kill of a worker costs one more question.
      expect(askers.get(email)!.length).toBeLessThanOrEqual(2);
    }
    expect(await readBatch(database.url, id)).toMatchObject({ open_chunks: 0, credits_charged: emails.length });
  }
  for (const owner of Object.keys(OWNERS) as Owner[]) {
    const used = batches.reduce((sum, batch) => sum + (batch.owner === owner ? batch.emails.length : 0), 0);
    const [balance] = await onDatabase(
      database.url,
      'SELECT available, reserved, used_total FROM credit_balances WHERE account_id = $1',
      [accounts[owner].accountId],
    );
    expect(balance).toEqual({ available: String(CREDITS - used), reserved: '0', used_total: String(used) });
  }
  expect((await api.app.get(CreditsAudit).run()).differing).toEqual([]);
});
