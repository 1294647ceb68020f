import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ResultEncoder } from '../../src/batch/model/result-codec.js';
import { BatchWorker } from '../../src/batch/worker/batch-worker.js';
import { ChunkStore } from '../../src/batch/worker/chunk.store.js';
import { BatchStore } from '../../src/batch/model/batch.store.js';
import { ChunkCommitService } from '../../src/batch/worker/chunk-commit.service.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch, queueSingles, readAnswers, readBatch } from '../support/batches.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startDnsServer } from '../support/dns-server.js';
import { until } from '../support/next-look.js';
import {
  type ScriptedConnection,
  type ScriptedSmtpServer,
  type SmtpScript,
  startScriptedSmtpServer,
} from '../support/scripted-smtp-server.js';
import { startService, type TestService } from '../support/service.js';

const CREDITS = 100_000;
const WINDOW_SECONDS = 900;

let database: TestDatabase;
let account: FullAccount;
let time: { now(): number; later: number };

beforeEach(async () => {
  database = await createTestDatabase();
  onTestFinished(database.drop);
  account = await createFullAccount(database, { credits: CREDITS });
  time = { later: 0, now: () => Date.now() + time.later };
});

interface World {
  readonly service: TestService;
  readonly smtp: ScriptedSmtpServer;
  /** Never replies to RCPT; serves `slow.example.com`. */
  readonly slow: ScriptedSmtpServer;
}

/** The service, with one mail host on loopback for all domains but `slow.example.com`. */
async function startWorld(script: SmtpScript): Promise<World> {
  const dns = await startDnsServer({
    answer: (name, type) => {
      if (type === 'MX') return { MX: [[10, `mx.${name}`]] };
      if (!name.startsWith('mx.')) return undefined;
      return { A: [name === 'mx.slow.example.com' ? '127.0.0.2' : '127.0.0.1'] };
    },
  });
  const smtp = await startScriptedSmtpServer(script);
  const slow = await startScriptedSmtpServer({
    host: '127.0.0.2',
    port: smtp.port,
    onLine: (line) => (line.startsWith('RCPT') ? new Promise(() => undefined) : undefined),
  });
  const service = await startService({
    timer: SYSTEM_TIMER,
    database,
    clock: time,
    env: {
      dnsServers: [dns.address],
      smtpPort: smtp.port,
      mxAllowedNetworks: ['127.0.0.0/8'],
      batchRetryWindowSeconds: WINDOW_SECONDS,
    },
  });
  onTestFinished(async () => {
    await service.close();
    await Promise.all([dns.close(), smtp.close(), slow.close()]);
  });
  return { service, smtp, slow };
}

/** Local parts that start with `ok` exist. */
const honest: SmtpScript = {
  onLine: (line) => (/^RCPT TO:<(?!ok)/i.test(line) ? '550 5.1.1 User unknown' : undefined),
};

const addresses = (count: number, name: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${name(i)}@domain${i % 20}.example.com`);
const mixed = (count: number) => addresses(count, (i) => `${i % 20 === 0 ? 'no' : 'ok'}.user${i}`);

const stateOf = async (id: number) => (await readBatch(database.url, id)).state;
async function completed(id: number): Promise<void> {
  await until(async () => (await stateOf(id)) === 'completed');
}

const cancel = (id: number) =>
  onDatabase(database.url, "UPDATE batches SET state = 'cancelled', finished_at = now() WHERE id = $1", [id]);

async function expectExactCredits(service: TestService, charged: number): Promise<void> {
  expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
  const [balance] = await onDatabase(database.url, 'SELECT * FROM credit_balances WHERE account_id = $1', [
    account.accountId,
  ]);
  expect(balance).toMatchObject({
    available: String(CREDITS - charged),
    reserved: '0',
    used_total: String(charged),
  });
  expect(await onDatabase(database.url, 'SELECT id FROM credit_reservations')).toEqual([]);
}

describe('a batch', () => {
  it('a batch is verified to its end: each address once, each verdict charged, one ledger entry for chunks that are committed together', async () => {
    const { service, smtp } = await startWorld(honest);
    const emails = mixed(600);
    const id = await queueBatch(database.url, { ...account, emails, chunkSize: 60 });
    await completed(id);

    expect(await readBatch(database.url, id)).toEqual({
      state: 'completed',
      open_chunks: 0,
      counts: { valid: 570, invalid: 30, risky: 0, unknown: 0 },
      credits_charged: 600,
      started: true,
      finished: true,
    });
    const answers = await readAnswers(database.url, id);
    for (const email of emails) {
      expect(answers.get(email)).toHaveLength(1);
      expect(answers.get(email)![0]!.verification.verdict).toBe(email.startsWith('ok') ? 'valid' : 'invalid');
    }
    expect(new Set(smtp.recipients.filter((address) => emails.includes(address))).size).toBe(600);
    await expectExactCredits(service, 600);
    const entries = await onDatabase(database.url, "SELECT amount FROM credit_ledger WHERE kind = 'charge'");
    const charges = entries.map(({ amount }) => -Number(amount));
    expect(charges.filter((charge) => charge <= 0 || charge % 60 !== 0)).toEqual([]);
    expect(charges.reduce((sum, charge) => sum + charge, 0)).toBe(600);
  });

  it('a batch of a test key is verified by the simulated engine, at no cost and without retries', async () => {
    const service = await startService({ database, clock: time, timer: SYSTEM_TIMER });
    onTestFinished(() => service.close());
    const emails = ['valid', 'invalid', 'catch-all', 'greylisted'].map((word) => `${word}@example.com`);
    const id = await queueBatch(database.url, { ...account, emails, simulated: true });
    await completed(id);
    expect(await readBatch(database.url, id)).toMatchObject({
      counts: { valid: 1, invalid: 1, risky: 1, unknown: 1 },
      credits_charged: 0,
    });
    await expectExactCredits(service, 0);
  });

  it('a duplicate is counted in every row and charged once', async () => {
    const { service } = await startWorld(honest);
    const emails = ['ok.one@example.com', 'no.two@example.com'];
    const id = await queueBatch(database.url, { ...account, emails, duplicates: { 1: 3 } });
    await completed(id);
    expect(await readBatch(database.url, id)).toMatchObject({
      counts: { valid: 1, invalid: 4, risky: 0, unknown: 0 },
      credits_charged: 2,
    });
    await expectExactCredits(service, 2);
  });
});

describe('transient results', () => {
  /** Greylists addresses that begin with `grey`, by the injected clock. */
  function greylisting(acceptAfterMs: number) {
    const firstAt = new Map<string, number>();
    const triplets = new Map<string, Set<string>>();
    let sender = '';
    const onLine = (line: string, connection: ScriptedConnection) => {
      if (/^MAIL FROM/i.test(line)) sender = line;
      const address = /^RCPT TO:<(grey[^>]*)>/i.exec(line)?.[1];
      if (address === undefined) return honest.onLine!(line, connection);
      triplets.set(address, (triplets.get(address) ?? new Set()).add(sender));
      if (!firstAt.has(address)) firstAt.set(address, time.now());
      return time.now() - firstAt.get(address)! < acceptAfterMs
        ? '450 4.2.0 <x>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/'
        : undefined;
    };
    return { script: { onLine }, triplets };
  }

  const openChunk = async (id: number) =>
    (await onDatabase(database.url, 'SELECT pass, offsets, due_at FROM batch_chunks WHERE batch_id = $1', [id]))[0]!;

  it('transient results are retried later with the same triplet, and final ones are not', async () => {
    const { script, triplets } = greylisting(300_000);
    const { service, smtp } = await startWorld(script);
    const emails = ['ok.a@example.com', 'grey.b@example.com', 'ok.c@example.com', 'grey.d@example.com'];
    const id = await queueBatch(database.url, { ...account, emails });
    await expect.poll(() => openChunk(id)).toMatchObject({ pass: 1, offsets: [1, 3] });
    expect(await readBatch(database.url, id)).toMatchObject({ state: 'processing', counts: { valid: 2, unknown: 0 } });
    const { due_at } = await openChunk(id);
    const pauseMs = (due_at as Date).getTime() - time.now();
    expect(pauseMs).toBeGreaterThan(140_000);
    expect(pauseMs).toBeLessThanOrEqual(150_000);

    for (let pass = 2; pass <= 3; pass++) {
      time.later += (WINDOW_SECONDS * 1000) / 2;
      if ((await stateOf(id)) === 'completed') break;
      await service.app.get(BatchWorker).wake();
      await expect
        .poll(async () => (await stateOf(id)) === 'completed' || (await openChunk(id))['pass'] === pass)
        .toBe(true);
    }
    await completed(id);
    expect(await readBatch(database.url, id)).toMatchObject({ counts: { valid: 4 }, credits_charged: 4 });
    const asked = (email: string) => smtp.recipients.filter((address) => address === email).length;
    expect(asked('ok.a@example.com')).toBe(1);
    expect(asked('grey.b@example.com')).toBeGreaterThan(1);
    for (const senders of triplets.values()) expect(senders.size).toBe(1);
    await expectExactCredits(service, 4);
  });

  it('an address stays unknown after three transient retries within the window, and costs a full account nothing', async () => {
    const { script } = greylisting(Infinity);
    const { service } = await startWorld(script);
    const startedAt = time.now();
    const id = await queueBatch(database.url, { ...account, emails: ['grey.a@example.com'] });
    for (let pass = 1; pass <= 3; pass++) {
      await expect.poll(async () => (await openChunk(id))['pass']).toBe(pass);
      const { due_at } = await openChunk(id);
      time.later += (due_at as Date).getTime() - time.now() + 1;
      await service.app.get(BatchWorker).wake();
    }
    await completed(id);
    expect(time.now() - startedAt).toBeLessThan(WINDOW_SECONDS * 1000 + 30_000);
    expect((await readAnswers(database.url, id)).get('grey.a@example.com')![0]!.verification.verdict).toBe('unknown');
    await expectExactCredits(service, 0);
  });
});

describe('interrupted work', () => {
  it('a batch completes although Redis has lost everything', async () => {
    const { service } = await startWorld(honest);
    const id = await queueBatch(database.url, { ...account, emails: mixed(1000), chunkSize: 50 });
    const redis = new Redis(service.env.redisUrl);
    await redis.flushdb();
    redis.disconnect();
    await completed(id);
    await expectExactCredits(service, 1000);
  });

  it('every address counts once although two workers do the same chunks', async () => {
    const { service } = await startWorld(honest);
    const { service: second } = await startWorld(honest);
    const emails = mixed(400);
    const id = await queueBatch(database.url, { ...account, emails, chunkSize: 20 });
    // Ends all leases again and again, so that any worker may take any open chunk.
    const steal = async () => {
      await onDatabase(database.url, 'UPDATE batch_chunks SET lease_expires_at = NULL WHERE NOT done');
      await Promise.all([service, second].map(({ app }) => app.get(BatchWorker).wake()));
      return stateOf(id);
    };
    await expect.poll(steal, { interval: 1 }).toBe('completed');
    for (const email of emails) expect((await readAnswersOnce(id)).get(email)).toHaveLength(1);
    await expectExactCredits(service, 400);

    const [again] = await onDatabase(database.url, 'SELECT number FROM batch_chunks LIMIT 1');
    await storeAgain(service, id, Number(again!['number']));
    expect(await readBatch(database.url, id)).toMatchObject({
      counts: { valid: 380, invalid: 20 },
      credits_charged: 400,
    });
    await expectExactCredits(service, 400);
  });

  /** Commits as a worker does that has lost its lease. */
  async function storeAgain(service: TestService, id: number, number: number) {
    const batch = (await service.app.get(BatchStore, { strict: false }).find(id))!;
    const [answer] = [...(await readAnswersOnce(id)).values()][0]!;
    const chunk = {
      batchId: id,
      number,
      pass: 0,
      windowPass: 0,
      partition: 0,
      items: [],
      offsets: [0],
      duplicates: new Map(),
      kept: null,
      free: new Set<number>(),
      retries: null,
      attempts: 1,
    };
    const commits = service.app.get(ChunkCommitService, { strict: false });
    const results = new ResultEncoder();
    results.add(answer!);
    const counts = { valid: 1, invalid: 0, risky: 0, unknown: 0 };
    const works = [{ verdict: 'valid', reason: 'mailbox_exists', items: 1, credits: 1 }];
    const pass = { chunk, results: results.toString(), counts, creditsCharged: 1, works, denials: [], retryPass: null };
    await commits.commit(batch, [pass], new Date());
  }

  let known: Awaited<ReturnType<typeof readAnswers>> | undefined;
  const readAnswersOnce = async (id: number) => (known ??= await readAnswers(database.url, id));

  it('interrupted work work ends soon when its batch is cancelled: stored results stay, and nothing else is stored or charged', async () => {
    const { service, slow } = await startWorld(honest);
    const emails = [
      ...addresses(10, (i) => `ok.${i}`),
      ...Array.from({ length: 10 }, (_, i) => `${i}@slow.example.com`),
    ];
    const id = await queueBatch(database.url, { ...account, emails, chunkSize: 10 });
    await expect.poll(async () => (await readBatch(database.url, id)).credits_charged).toBe(10);
    await cancel(id);
    await expect.poll(() => slow.connections.every(({ closed }) => closed)).toBe(true);
    expect(await readBatch(database.url, id)).toMatchObject({
      state: 'cancelled',
      open_chunks: 1,
      credits_charged: 10,
    });
    expect((await readAnswers(database.url, id)).size).toBe(10);
    // An attempt that the worker took back does not count.
    const attempts = () => onDatabase(database.url, 'SELECT attempts FROM batch_chunks WHERE NOT done');
    await expect.poll(attempts).toEqual([{ attempts: 0 }]);
    await service.app.get(BatchWorker).wake();
    expect(await onDatabase(database.url, 'SELECT * FROM batch_results')).toHaveLength(1);
  });
});

it('a batch of 25 completes while a huge one of another account fills the workers and does not move', async () => {
  const other = await createFullAccount(database, { credits: 100 });
  const { service, slow } = await startWorld(honest);
  const work = service.app.get(BatchWorker);
  const emails = Array.from({ length: 60_000 }, (_, i) => `user${i}@slow.example.com`);
  const huge = await queueBatch(database.url, { ...account, emails });
  await work.wake();
  await slow.until(() => slow.recipients.length > 0);
  const small = await queueBatch(database.url, { ...other, emails: mixed(25) });
  await work.wake();
  await completed(small);
  expect(await readBatch(database.url, huge)).toMatchObject({ state: 'processing', open_chunks: 60 });
  await cancel(huge);
  await expect.poll(() => slow.connections.every(({ closed }) => closed)).toBe(true);
});

it('a batch of 25 completes while batches of eight accounts wait for one mail host that does not answer', async () => {
  const other = await createFullAccount(database, { credits: 100 });
  const { service, slow } = await startWorld(honest);
  const work = service.app.get(BatchWorker);
  const emails = Array.from({ length: 6_000 }, (_, i) => `user${i}@slow.example.com`);
  const huge: number[] = [];
  for (let i = 0; i < 8; i++)
    huge.push(await queueBatch(database.url, { ...(await createFullAccount(database, { credits: 6_000 })), emails }));
  void work.wake();
  await slow.until(() => slow.recipients.length > 0);
  const small = await queueBatch(database.url, { ...other, emails: mixed(25) });
  await completed(small);
  // None has more than it can use, so that all of them have work here; what is given back is no attempt.
  const leased = () =>
    onDatabase(
      database.url,
      `SELECT count(worker_id)::integer AS chunks, coalesce(max(attempts) FILTER (WHERE worker_id IS NULL), 0)::integer AS attempts
         FROM batch_chunks WHERE NOT done GROUP BY batch_id`,
    );
  await expect
    .poll(async () => (await leased()).every(({ chunks }) => Number(chunks) >= 1 && Number(chunks) <= 4), {
      interval: 200,
    })
    .toBe(true);
  expect((await leased()).map(({ attempts }) => attempts)).toEqual(Array<number>(huge.length).fill(0));
  for (const id of huge) await cancel(id);
  await expect.poll(() => slow.connections.every(({ closed }) => closed)).toBe(true);
});

it('a batch of 25 completes while batches of many accounts fill the worker, before anybody knows that they only wait', async () => {
  const other = await createFullAccount(database, { credits: 100 });
  const { service, slow } = await startWorld(honest);
  const work = service.app.get(BatchWorker);
  // At a clock that stands still nothing is known to wait.
  const now = time.now();
  time.now = () => now;
  const emails = Array.from({ length: 3_000 }, (_, i) => `user${i}@slow.example.com`);
  const large: number[] = [];
  for (let i = 0; i < 24; i++)
    large.push(await queueBatch(database.url, { ...(await createFullAccount(database, { credits: 3_000 })), emails }));
  void work.wake();
  await expect.poll(() => work.itemsInHand).toBeGreaterThanOrEqual(42_000);
  const small = await queueBatch(database.url, { ...other, emails: mixed(25) });
  void work.wake();
  await completed(small);
  expect(work.itemsInHand).toBeGreaterThanOrEqual(42_000);
  for (const id of large) await cancel(id);
  await expect.poll(() => slow.connections.every(({ closed }) => closed)).toBe(true);
});

it('a batch completes while a thousand batches of one address each of another account wait for one mail host', async () => {
  const other = await createFullAccount(database, { credits: 100 });
  const { service, slow } = await startWorld(honest);
  const work = service.app.get(BatchWorker);
  const emails = Array.from({ length: 1_040 }, (_, i) => `user${i}@slow.example.com`);
  await queueSingles(database.url, account.accountId, emails);
  // Until it finds no more for which it has room.
  await work.wake();
  expect(work.itemsInHand).toBeGreaterThanOrEqual(500);
  const small = await queueBatch(database.url, { ...other, emails: mixed(25) });
  void work.wake();
  await completed(small);
  expect(work.itemsInHand).toBeGreaterThanOrEqual(500);
  await onDatabase(
    database.url,
    "UPDATE batches SET state = 'cancelled', finished_at = now() WHERE finished_at IS NULL",
  );
  await expect.poll(() => slow.connections.every(({ closed }) => closed)).toBe(true);
});

it('a batch knows when its part that a mail operator slows down ends: with what waits in the tables, at the pace measured last', async () => {
  const service = await startService({ database, clock: time, env: { role: 'api' }, timer: SYSTEM_TIMER });
  onTestFinished(() => service.close());
  const emails = Array.from({ length: 2_000 }, (_, i) => `user${i}@slow.example.com`);
  const id = await queueBatch(database.url, { ...account, emails, chunkSize: 100 });
  const leaseOwner = randomUUID();
  await onDatabase(database.url, 'UPDATE batch_chunks SET lease_owner = $1 WHERE number = 0', [leaseOwner]);
  const waits = new ChunkStore(service.app.get(DataSource));
  const waitsUntil = async () => (await service.app.get(BatchStore, { strict: false }).find(id))!.waitsUntil;
  expect(await waitsUntil()).toBeNull();
  // Chunks 0, 8 and 16 are in partition 0: 60 items in work and 200 in the tables.
  const wait = { batchId: id, partitions: [0], leaseOwner, items: 60, itemsPerSecond: 2 };
  await waits.recordWait(wait, new Date(0));
  expect(await waitsUntil()).toEqual(new Date(130_000));
  await waits.recordWait({ ...wait, itemsPerSecond: 4 }, new Date(0));
  expect(await waitsUntil()).toEqual(new Date(65_000));
  await onDatabase(database.url, 'UPDATE batch_chunks SET done = true WHERE partition = 0', []);
  expect(await waitsUntil()).toBeNull();
});
