import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WorkersService } from '../../src/batch/workers.service.js';
import { ChunkStore } from '../../src/batch/worker/chunk.store.js';
import { OpenBatchesStore } from '../../src/batch/worker/open-batches.store.js';
import { BatchWorker } from '../../src/batch/worker/batch-worker.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch, readAnswers, readBatch } from '../support/batches.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { type ScriptedSmtpServer, startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import { startService, type TestService } from '../support/service.js';

const directory = mkdtempSync(join(tmpdir(), 'regions-'));
const egressFile = join(directory, 'egress.json');
const FROM = { eu: '127.0.1.1', us: '127.0.2.1' } as const;

let database: TestDatabase;
let dns: DnsServer;
let smtp: ScriptedSmtpServer;
/** Who asked for each recipient. */
let askers: Map<string, string[]>;
/** Questions from here are not answered. */
let silentTo: string | null;

beforeAll(async () => {
  const sources = Object.entries(FROM).map(([region, address]) => {
    return { name: region, region, address, helo: `${region}.example.net`, mail_from: `probe@${region}.example.net` };
  });
  writeFileSync(egressFile, JSON.stringify({ sources }));
  dns = await startDnsServer({
    answer: (name, type) =>
      type === 'MX' ? { MX: [[10, `mx.${name}`]] } : name.startsWith('mx.') ? { A: ['127.0.0.1'] } : undefined,
  });
  smtp = await startScriptedSmtpServer({
    onLine: (line, { from }) => {
      const address = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
      if (address === undefined) return undefined;
      askers.set(address, [...(askers.get(address) ?? []), from]);
      if (from === silentTo) return new Promise(() => undefined);
      return address.startsWith('ok') ? undefined : '550 5.1.1 User unknown';
    },
  });
});

afterAll(async () => {
  await Promise.all([dns.close(), smtp.close()]);
  rmSync(directory, { recursive: true });
});

beforeEach(async () => {
  askers = new Map();
  silentTo = null;
  database = await createTestDatabase();
  onTestFinished(database.drop);
});

async function startWorker(region: string | null): Promise<TestService> {
  const env = {
    dnsServers: [dns.address],
    smtpPort: smtp.port,
    mxAllowedNetworks: ['127.0.0.0/8'],
    egressFile,
    region,
  };
  const service = await startService({ database, env, timer: SYSTEM_TIMER });
  onTestFinished(() => service.close());
  return service;
}

const setRegion = (accountId: string, region: string | null) =>
  onDatabase(database.url, 'UPDATE accounts SET region = $2 WHERE id = $1', [accountId, region]);

async function accountOf(region: string | null): Promise<FullAccount> {
  const account = await createFullAccount(database, { credits: 10_000 });
  await setRegion(account.accountId, region);
  return account;
}

const emailsOf = (whose: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${i % 10 === 0 ? 'no' : 'ok'}.${i}@${whose}${i % 7}.example.com`);
const stateOf = async (id: number) => (await readBatch(database.url, id)).state;
const askedFrom = (emails: readonly string[]) => new Set(emails.flatMap((email) => askers.get(email) ?? []));

async function expectEachOnce(id: number, emails: readonly string[]): Promise<void> {
  const answers = await readAnswers(database.url, id);
  expect([...answers.keys()].toSorted()).toEqual(emails.toSorted());
  for (const [email, results] of answers)
    expect(results.map(({ verification }) => verification.verdict)).toEqual([
      email.startsWith('ok') ? 'valid' : 'invalid',
    ]);
  expect(await readBatch(database.url, id)).toMatchObject({ state: 'completed', credits_charged: emails.length });
}

describe('the batches of an account with a region', () => {
  it('the batches of an account with a region are worked by workers of it only, those of other accounts by any, each address once', async () => {
    const [eu, us, anybody] = await Promise.all([accountOf('eu'), accountOf('us'), accountOf(null)]);
    const batches: { id: number; emails: string[]; from: readonly string[] }[] = [];
    for (const [whose, account, from] of [
      ['eu', eu, [FROM.eu]],
      ['us', us, [FROM.us]],
      ['any', anybody, Object.values(FROM)],
    ] as const)
      for (const [size, chunkSize] of [
        [3, 1_000],
        [5, 1_000],
        [240, 10],
      ] as const) {
        const emails = emailsOf(`${whose}${size}x`, size);
        const id = await queueBatch(database.url, { accountId: account.accountId, emails, chunkSize });
        batches.push({ id, emails, from });
      }
    const [service] = await Promise.all([startWorker('eu'), startWorker('us')]);
    for (const { id } of batches) await expect.poll(() => stateOf(id)).toBe('completed');
    for (const { id, emails, from } of batches) {
      await expectEachOnce(id, emails);
      for (const asker of askedFrom(emails)) expect(from).toContain(asker);
    }
    expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
  });

  it('the batches of an account with a region wait while no worker of it is alive, and whoever looks is told of it until one is', async () => {
    const { accountId } = await accountOf('eu');
    const emails = emailsOf('waits', 20);
    const id = await queueBatch(database.url, { accountId, emails });
    const [us, nowhere] = await Promise.all([startWorker('us'), startWorker(null)]);
    const workers = us.app.get(WorkersService);
    await expect.poll(async () => (await workers.list()).map(({ region }) => region)).toHaveLength(2);
    await expect.poll(() => workers.regions()).toEqual(['us']);
    await Promise.all([us, nowhere].map(({ app }) => app.get(BatchWorker).wake()));
    expect(await stateOf(id)).toBe('queued');
    expect(await workers.regionsWithoutWorker()).toEqual([{ region: 'eu', batches: 1, oldestBatchId: id }]);

    const eu = await startWorker('eu');
    await expect.poll(() => workers.regionsWithoutWorker()).toEqual([]);
    await expect.poll(() => stateOf(id)).toBe('completed');
    expect(askedFrom(emails)).toEqual(new Set([FROM.eu]));
    await eu.close();
    await expect.poll(() => workers.regions()).toEqual(['us']);
  });

  it('the batches of an account with a region go over to workers of another region when that changes while they run, and nothing counts twice', async () => {
    const { accountId } = await accountOf('eu');
    const emails = emailsOf('moves', 60);
    silentTo = FROM.eu;
    const id = await queueBatch(database.url, { accountId, emails, chunkSize: 20 });
    const [eu] = await Promise.all([startWorker('eu'), startWorker('us')]);
    await expect.poll(() => askedFrom(emails)).toEqual(new Set([FROM.eu]));
    await setRegion(accountId, 'us');
    await expect.poll(() => stateOf(id)).toBe('completed');
    await expectEachOnce(id, emails);
    for (const email of emails) expect(askers.get(email)).toContain(FROM.us);
    expect((await eu.app.get(CreditsAudit).run()).differing).toEqual([]);
  });

  it('the batches of an account with a region are worked by any worker when a test key sent them: nobody is asked', async () => {
    const { accountId } = await accountOf('eu');
    const emails = ['valid@example.com', 'invalid@example.com'];
    const id = await queueBatch(database.url, { accountId, emails, simulated: true });
    const service = await startWorker('us');
    await expect.poll(() => stateOf(id)).toBe('completed');
    expect(await service.app.get(WorkersService).regionsWithoutWorker()).toEqual([]);
    expect(askers.size).toBe(0);
  });
});

describe('chunks', () => {
  let source: DataSource;

  beforeEach(async () => {
    source = await createDataSource(database.url);
    onTestFinished(() => source.destroy());
  });

  const leaseIn = (region: string | null) => {
    const now = new Date();
    return { owner: randomUUID(), workerId: null, region, now, expiresAt: new Date(now.getTime() + 60_000) };
  };

  it('chunks of small batches are leased by workers of three regions at once, and none gets what is for another', async () => {
    const accounts = { eu: await accountOf('eu'), us: await accountOf('us'), any: await accountOf(null) };
    const queued = new Map<number, string>();
    for (let i = 0; i < 20; i++)
      for (const [whose, { accountId }] of Object.entries(accounts))
        queued.set(await queueBatch(database.url, { accountId, emails: [`ok@${whose}${i}.example.com`] }), whose);
    const leased: { region: string | null; id: number }[] = [];
    const worker = async (region: string | null): Promise<void> => {
      for (;;) {
        const batches = await new OpenBatchesStore(source).leaseSmall(leaseIn(region), [], 4);
        leased.push(...batches.map(({ batch }) => ({ region, id: batch.id })));
        // Batches that another worker has locked are left out, so nothing found is no proof that nothing is left.
        if (batches.length === 0 && leased.length >= 60) return;
        if (batches.length === 0 && !(await isLeft(region))) return;
      }
    };
    const isLeft = async (region: string | null) =>
      (await new OpenBatchesStore(source).nextBatches(leaseIn(region), [], true, 10)).length > 0;
    await Promise.all(['eu', 'us', null, 'eu', 'us'].map(worker));
    expect(new Set(leased.map(({ id }) => id)).size).toBe(60);
    expect(leased).toHaveLength(60);
    for (const { region, id } of leased) expect([region, 'any']).toContain(queued.get(id));
  });

  it('chunks that have ended workers are leased by their region too', async () => {
    const { accountId } = await accountOf('eu');
    const id = await queueBatch(database.url, { accountId, emails: ['ok@poison.example.com'] });
    await onDatabase(database.url, 'UPDATE batch_chunks SET attempts = 5 WHERE batch_id = $1', [id]);
    const store = new ChunkStore(source);
    expect(await store.leasePoisoned(leaseIn('us'))).toBeNull();
    expect(await store.leasePoisoned(leaseIn(null))).toBeNull();
    expect(await store.leasePoisoned(leaseIn('eu'))).toMatchObject({ batchId: id });
  });
});
