import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openAdministration } from '../../src/admin/administration.js';
import { runProgram } from '../../src/cli/admin/run-program.js';
import { CreditsAudit } from '../../src/credits/balance/credits-audit.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { onDatabase, queueBatch, readAnswers, readBatch } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase } from '../support/database.js';
import { startMailHostOfAll } from '../support/mail-host.js';
import { recipientOf } from '../support/mail-scripts.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';
import { scrape } from '../support/scrape.js';
import { startService } from '../support/service.js';

const PATIENT = { timeout: 60_000, interval: 30 };
/** So that there is a middle to be killed in. */
const LATENCY_MS = 20;
/** Of the region's large batch, so many are answered before the region has a worker again: what is killed has something left. */
const ANSWERED = 900;
const CREDITS = 10_000;
const FROM = { eu: '127.0.1.1', us: '127.0.2.1' } as const;
type Region = keyof typeof FROM;
/** Whose accounts there are, and who may ask for them. */
const OWNERS = { eu: [FROM.eu], us: [FROM.us], any: [FROM.eu, FROM.us] } as const;
type Owner = keyof typeof OWNERS;

interface Batch {
  readonly id: number;
  readonly owner: Owner;
  readonly emails: readonly string[];
}

it('chunks are asked by workers of their region only, whoever of them is killed, and all of it is told of while none is left', async () => {
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
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const isHeld = (recipient: string): boolean =>
    recipient.includes('@eu-large') && Number(recipient.split(/[.@]/)[1]) >= ANSWERED;
  const mail = await startMailHostOfAll({
    onLine: async (line, { from }) => {
      const recipient = recipientOf(line);
      if (recipient === null) return undefined;
      askers.set(recipient, [...(askers.get(recipient) ?? []), from]);
      await (isHeld(recipient) ? opened : delay(LATENCY_MS));
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
  const kill = async (worker: ServiceProcess): Promise<void> => {
    worker.kill('SIGKILL');
    await worker.ended;
  };

  const api = await startService({ database, env: { role: 'api', egressFile, metricsPort: 0 } });
  onTestFinished(() => api.close());
  const admin = async (path: string) => call(api, `/admin/v1${path}`, { key: adminKey });
  const adminKey = await createAdminKey(api);
  const status = async (): Promise<string> => {
    let out = '';
    const openDoor = () => openAdministration({ ...loadEnv({}), egressFile }, database.url, false);
    await runProgram(['status'], openDoor, { out: (text) => (out += text), error: () => undefined });
    return out;
  };
  const accounts = {} as Record<Owner, FullAccount>;
  for (const owner of Object.keys(OWNERS) as Owner[]) {
    accounts[owner] = await createFullAccount(database, { credits: CREDITS });
    const region = owner === 'any' ? null : owner;
    const body = { region };
    const changed = await call(api, `/admin/v1/accounts/${accounts[owner].accountId}`, {
      key: adminKey,
      method: 'PATCH',
      body,
    });
    expect(changed.body.region).toBe(region);
  }
  const queue = async (owner: Owner, name: string, size: number, chunkSize: number): Promise<Batch> => {
    const emails = Array.from(
      { length: size },
      (_, i) => `${i % 20 === 0 ? 'no' : 'ok'}.${i}@${owner}-${name}${i % 10}.example.com`,
    );
    const id = await queueBatch(database.url, { accountId: accounts[owner].accountId, emails, chunkSize });
    return { id, owner, emails };
  };
  const stateOf = async ({ id }: Batch) => (await readBatch(database.url, id)).state;

  const [doomed] = await Promise.all([startWorker('eu'), startWorker('eu'), startWorker('us')]);
  const batches: Batch[] = [];
  for (const owner of Object.keys(OWNERS) as Owner[]) {
    batches.push(await queue(owner, 'large', 1_000, 20));
    for (let i = 0; i < 3; i++) batches.push(await queue(owner, `small${i}x`, 4, 1_000));
  }
  const ofEu = batches[0]!;
  const openChunks = async () => (await readBatch(database.url, ofEu.id)).open_chunks;

  // One of two workers of the region is killed in the middle: the other goes on.
  await expect.poll(openChunks, PATIENT).toBeLessThan(45);
  await kill(doomed);
  const afterFirst = await openChunks();
  await expect.poll(openChunks, PATIENT).toBeLessThan(afterFirst);
  // The last one, too: what it has begun waits, whatever workers of other regions have to do.
  await kill(workers[1]!);
  const waiting = await queue('eu', 'late', 4, 1_000);
  batches.push(waiting);
  for (const batch of batches)
    if (batch.owner !== 'eu') await expect.poll(() => stateOf(batch), PATIENT).toBe('completed');
  const left = await openChunks();
  expect(left).toBeGreaterThan(0);

  await expect
    .poll(async () => (await admin('/workers')).body.unworked_regions, PATIENT)
    .toEqual([{ region: 'eu', batches: expect.any(Number), oldest_batch_id: expect.any(Number) }]);
  const [unworked] = (await admin('/workers')).body.unworked_regions;
  const unfinished = await Promise.all(
    batches.map(async (batch) => ((await stateOf(batch)) === 'completed' ? null : batch.id)),
  );
  const ids = unfinished.filter((id) => id !== null);
  expect(ids).toEqual(expect.arrayContaining([ofEu.id, waiting.id]));
  expect(unworked).toEqual({ region: 'eu', batches: ids.length, oldest_batch_id: Math.min(...ids) });
  expect((await admin('/workers')).body.workers.map(({ region }: { region: string }) => region)).toEqual(['us']);
  expect((await scrape(api)).valueOf('mailsonde_batch_region_unworked', { region: 'eu' })).toBe(ids.length);
  expect(await status()).toContain(
    `No worker of the region eu is alive (REGION=eu): ${ids.length} batches wait, the first is ${Math.min(...ids)}`,
  );
  const told = async ({ id }: Batch) =>
    (await call(api, `/api/v1/verify/batch/${id}`, { key: accounts.eu.liveKey })).body;
  expect(await told(ofEu)).toMatchObject({ status: 'processing', completed_at: null });
  expect(await told(waiting)).toMatchObject({ status: 'queued', processed: 0 });
  expect(await openChunks()).toBe(left);

  open();
  await startWorker('eu');
  for (const batch of batches) await expect.poll(() => stateOf(batch), PATIENT).toBe('completed');
  expect((await admin('/workers')).body.unworked_regions).toEqual([]);
  const unworkedNow = async () => (await scrape(api)).valueOf('mailsonde_batch_region_unworked');
  await expect.poll(unworkedNow, PATIENT).toBeNull();

  for (const { id, owner, emails } of batches) {
    const answers = await readAnswers(database.url, id);
    expect([...answers.keys()].toSorted()).toEqual(emails.toSorted());
    for (const [email, results] of answers) {
      expect(results.map(({ verification }) => verification.verdict)).toEqual([
        email.startsWith('ok') ? 'valid' : 'invalid',
      ]);
      expect(OWNERS[owner]).toEqual(expect.arrayContaining(askers.get(email)!));
      // A kill of a worker costs one more question, and two workers were killed.
      expect(askers.get(email)!.length).toBeLessThanOrEqual(3);
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
}, 240_000);
