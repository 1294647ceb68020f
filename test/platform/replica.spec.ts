import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineReplica } from '../../src/cli/doctor/examination.js';
import { ReadDatabase } from '../../src/platform/database/read-database.js';
import { checkReplica } from '../../src/platform/database/replica-probe.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.js';
import { startReplica, type TestReplica } from '../support/replica.js';
import { scrape } from '../support/scrape.js';
import { startService, type TestService } from '../support/service.js';

/** Always so far behind that a read which did not wait would not see what was written before it. */
const DELAY_MS = 80;

/** A replica that failed is left alone for a second: who looks more often than this only keeps the machine busy. */
const SOMETIMES = { interval: 100 };

let primary: OwnPostgres;
let replica: TestReplica;
let service: TestService;
let reads: ReadDatabase;
let account: FullAccount;

beforeAll(async () => {
  primary = await startOwnPostgres();
  replica = await startReplica(primary.url, [`recovery_min_apply_delay=${DELAY_MS}ms`]);
  account = await createFullAccount(primary, { credits: 1_000 });
  service = await startService({
    database: primary,
    env: { databaseReadUrl: replica.url, metricsPort: 0, role: 'all' },
  });
  reads = service.app.get(ReadDatabase);
});

afterAll(async () => {
  await service.close();
  await replica.drop();
  await primary.drop();
});

/** Who answers a read now. */
const answeredBy = () =>
  reads.read(async (tx) => {
    const [row] = (await tx.query('SELECT pg_is_in_recovery() AS replica')) as { replica: boolean }[];
    return row!.replica ? 'replica' : 'primary';
  });
const backAtReplica = async () => {
  await expect.poll(answeredBy, SOMETIMES).toBe('replica');
};
const readsFrom = async (from: string) =>
  (await scrape(service)).valueOf('mailsonde_replica_reads_total', { from }) ?? 0;
const isUp = async () => (await scrape(service)).valueOf('mailsonde_replica_up');
const get = (path: string, key = account.liveKey) => call(service, path, { key });

describe('a replica that is read from', () => {
  it('a replica that is read from answers ledgers, usage, listings, results and summaries', async () => {
    await backAtReplica();
    const body = { emails: ['ok@valid.test', 'no@invalid.test'] };
    const { id } = (await call(service, '/api/v1/verify/batch', { key: account.testKey, body })).body;
    const status = async () => (await get(`/api/v1/verify/batch/${id}`, account.testKey)).body.status;
    await expect.poll(status, SOMETIMES).toBe('completed');
    for (const [path, key] of [
      [`/api/v1/verify/batch/${id}/results`, account.testKey],
      [`/api/v1/verify/batch/${id}/summary`, account.testKey],
      ['/api/v1/verify/batch', account.testKey],
      ['/api/v1/lists', account.testKey],
      ['/api/v1/usage', account.liveKey],
      // In test mode nothing is charged, so no ledger is read.
      ['/api/v1/credits/history', account.liveKey],
    ] as const) {
      await backAtReplica();
      const before = await readsFrom('replica');
      expect([path, (await get(path, key)).status]).toEqual([path, 200]);
      expect([path, await readsFrom('replica')]).not.toEqual([path, before]);
    }
  });

  it('a replica that is read from shows what was written before, however late it is', async () => {
    await backAtReplica();
    const before = await readsFrom('replica');
    for (let i = 0; i < 10; i++) {
      const made = await call(service, '/api/v1/verify/batch', {
        key: account.testKey,
        body: { name: `list ${i}`, emails: ['ok@valid.test'] },
      });
      const { batches } = (await get('/api/v1/verify/batch', account.testKey)).body;
      expect(batches[0]).toMatchObject({ id: made.body.id, name: `list ${i}` });
    }
    expect(await readsFrom('replica')).toBeGreaterThan(before);
  });

  it('a replica that is read from shows the results of a batch that has ended a moment ago', async () => {
    await backAtReplica();
    const body = { emails: ['ok@valid.test'] };
    const { id } = (await call(service, '/api/v1/verify/batch', { key: account.testKey, body })).body;
    const path = `/api/v1/verify/batch/${id}`;
    await expect.poll(async () => (await get(path, account.testKey)).body.status).toBe('completed');
    const { status, body: results } = await get(`${path}/results`, account.testKey);
    expect([status, results.results.length]).toEqual([200, 1]);
  });

  it('a replica that is read from is not waited for when it is far behind: the primary answers, until it has caught up', async () => {
    await backAtReplica();
    await replica.pause(true);
    const body = { name: 'while it stands still', emails: ['ok@valid.test'] };
    await call(service, '/api/v1/verify/batch', { key: account.testKey, body });
    expect((await get('/api/v1/verify/batch', account.testKey)).body.batches[0].name).toBe('while it stands still');
    expect(await answeredBy()).toBe('primary');
    await expect.poll(isUp, SOMETIMES).toBe(0);
    expect(await examineReplica(service.env)).toMatchObject([{ state: 'fail', text: expect.stringMatching(/behind/) }]);
    await replica.pause(false);
    await backAtReplica();
    await expect.poll(isUp, SOMETIMES).toBe(1);
    await expect.poll(async () => (await examineReplica(service.env))[0]!.state, SOMETIMES).toBe('pass');
  });
});

describe('a replica that fails', () => {
  it('a replica that fails is left for the primary when it goes, and used again when it is back', async () => {
    await backAtReplica();
    await replica.kill();
    for (let i = 0; i < 3; i++) expect((await get('/api/v1/credits/history')).status).toBe(200);
    expect(await answeredBy()).toBe('primary');
    const told: string[] = [];
    await checkReplica(service.env, (line) => void told.push(line));
    expect(told).toEqual([expect.stringMatching(/^The replica of DATABASE_READ_URL is not there yet/)]);
    await replica.start();
    await backAtReplica();
  });

  it('a replica that fails is left for the primary after a second when it hangs, and then at once', async () => {
    await backAtReplica();
    replica.hang();
    expect((await get('/api/v1/credits/history')).status).toBe(200);
    // On a busy machine a single one may take that long for other reasons.
    const took: number[] = [];
    for (let i = 0; i < 3; i++) {
      const at = performance.now();
      expect(await answeredBy()).toBe('primary');
      took.push(performance.now() - at);
    }
    expect(Math.min(...took)).toBeLessThan(900);
    replica.resume();
    await backAtReplica();
  });

  it.each([
    ['ends the connection', 'SELECT pg_terminate_backend(pg_backend_pid())'],
    ['ends a statement for what it replays', `DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$`],
  ])('a replica that fails and %s in the middle of a read has it done at the primary', async (_, fault) => {
    await backAtReplica();
    const answer = await reads.read(async (tx) => {
      const [row] = (await tx.query('SELECT pg_is_in_recovery() AS replica')) as { replica: boolean }[];
      if (row!.replica) await tx.query(fault);
      return row!.replica;
    });
    expect(answer).toBe(false);
  });

  it('a replica that fails and a fault of the read itself is not repeated', async () => {
    await backAtReplica();
    let tries = 0;
    const read = reads.read((tx) => {
      tries += 1;
      return tx.query('SELECT 1 / 0');
    });
    await expect(read).rejects.toThrow(/division by zero/);
    expect(tries).toBe(1);
  });
});

describe('a server that is no replica', () => {
  it('a server that is no replica is never read from, and doctor says so', async () => {
    const wrong = await startService({
      database: primary,
      env: { databaseReadUrl: primary.url, metricsPort: 0, role: 'api' },
    });
    const theirs = wrong.app.get(ReadDatabase);
    const before = await readsFrom('replica');
    for (let i = 0; i < 5; i++) await theirs.query('SELECT 1 AS one');
    expect(await readsFrom('replica')).toBe(before);
    expect(await theirs.lagSeconds()).toBeNull();
    expect((await scrape(wrong)).valueOf('mailsonde_replica_up')).toBe(0);
    expect(await examineReplica(wrong.env)).toMatchObject([
      { state: 'fail', text: expect.stringMatching(/no replica/) },
    ]);
    await wrong.close();
  });

  it('a server that is no replica and a wrong password ends the start', async () => {
    const url = new URL(replica.url);
    url.password = 'wrong';
    await expect(
      checkReplica({ databaseUrl: primary.url, databaseReadUrl: url.href }, () => undefined),
    ).rejects.toThrow(/DATABASE_READ_URL.*password authentication failed/s);
  });
});

it('without a replica nothing is asked of where a read goes', async () => {
  const plain = await startService({ database: primary, env: { role: 'api' } });
  const theirs = plain.app.get(ReadDatabase);
  expect(await theirs.lagSeconds()).toBeUndefined();
  expect(await theirs.read(async (tx) => tx === plain.app.get(DataSource).manager)).toBe(true);
  await plain.close();
});
