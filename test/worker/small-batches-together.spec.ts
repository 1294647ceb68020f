import { randomUUID } from 'node:crypto';
import type { Type } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ChunkStore } from '../../src/batch/worker/chunk.store.js';
import { OpenBatchesStore } from '../../src/batch/worker/open-batches.store.js';
import { BatchSettlementService } from '../../src/batch/model/batch-settlement.service.js';
import { BatchStore } from '../../src/batch/model/batch.store.js';
import { ChunkCommitService } from '../../src/batch/worker/chunk-commit.service.js';
import type { ChunkResults } from '../../src/batch/worker/leased-chunk.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase, queueBatch, readBatch } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';
import { ReportedDenials } from '../../src/resolver/reported-denials.js';

const EMAILS = ['a@example.com', 'b@example.com'];

let database: TestDatabase;
let service: TestService;
let accounts: FullAccount[];

beforeEach(async () => {
  database = await createTestDatabase();
  onTestFinished(database.drop);
  accounts = [];
  for (const credits of [100, 100, 3]) accounts.push(await createFullAccount(database, { credits }));
  service = await startService({ database, env: { role: 'api' } });
  onTestFinished(() => service.close());
});

async function expectExactCredits(): Promise<void> {
  expect((await service.app.get(CreditsAudit).run()).differing).toEqual([]);
}
const balanceOf = async ({ accountId }: FullAccount) => {
  const sql =
    'SELECT available::integer, reserved::integer, used_total::integer FROM credit_balances WHERE account_id = $1';
  return (await onDatabase(database.url, sql, [accountId]))[0];
};

describe('small batches that end together', () => {
  const RESULTS = {
    results: '[]',
    counts: { valid: 2, invalid: 0, risky: 0, unknown: 0 },
    creditsCharged: 2,
    works: [{ verdict: 'valid', reason: 'mailbox_exists', items: 2, credits: 2 }],
    denials: [],
    retryPass: null,
  };

  /** Leases all batches. @returns commits the result of each as a worker does, all at once, and tells whether each was stored, or its error */
  async function leaseAll(): Promise<() => Promise<Map<number, unknown>>> {
    const now = new Date();
    const lease = {
      owner: randomUUID(),
      workerId: null,
      region: null,
      now,
      expiresAt: new Date(now.getTime() + 10_000),
    };
    const source = service.app.get(DataSource);
    const leased = await new OpenBatchesStore(source).leaseSmall(lease, [], 32);
    const get = <Part>(token: Type<Part> | symbol): Part => service.app.get<Part>(token, { strict: false });
    const commits = new ChunkCommitService(
      source,
      get(BatchStore),
      new ChunkStore(source),
      get(BatchSettlementService),
      get(ReportedDenials),
    );
    return async () => {
      const ends = leased.map(async ({ batch, chunk }): Promise<[number, unknown]> => {
        const pass: ChunkResults = { chunk, ...RESULTS };
        return [batch.id, await commits.commit(batch, [pass], now).catch((error: Error) => error.message)];
      });
      return new Map(await Promise.all(ends));
    };
  }
  const commitAll = async () => (await leaseAll())();

  it('small batches that end together are completed, charged and told of exactly once each', async () => {
    const ids: number[] = [];
    for (const account of [...accounts, ...accounts.slice(0, 2)])
      ids.push(await queueBatch(database.url, { ...account, emails: EMAILS }));
    ids.push(await queueBatch(database.url, { ...accounts[0]!, emails: EMAILS, simulated: true }));
    await onDatabase(
      database.url,
      `INSERT INTO webhook_endpoints (account_id, simulated, url, events, created_via, secret, created_at)
       VALUES ($1, false, 'https://a.example/', '{batch.completed}', 'api', 'x', now())`,
      [accounts[1]!.accountId],
    );
    expect([...(await commitAll()).values()]).toEqual(ids.map(() => true));
    for (const id of ids)
      expect(await readBatch(database.url, id)).toMatchObject({ state: 'completed', credits_charged: 2 });
    expect(await balanceOf(accounts[0]!)).toEqual({ available: 96, reserved: 0, used_total: 4 });
    const told = await onDatabase(
      database.url,
      `SELECT batch_id::text AS id FROM webhook_events WHERE type = 'batch.completed'`,
    );
    expect(new Set(told.map(({ id }) => Number(id)))).toEqual(new Set([ids[1], ids[4]]));
    expect(told).toHaveLength(2);
    await expectExactCredits();
  });

  it('small batches that end together do not wait for one whose balance is locked, which is completed when it is free', async () => {
    const ids: number[] = [];
    for (const account of [...accounts, ...accounts.slice(0, 2)])
      ids.push(await queueBatch(database.url, { ...account, emails: EMAILS }));
    const lock = await lockBalance(accounts[0]!);
    const ends = commitAll();
    const states = () => Promise.all(ids.map(async (id) => (await readBatch(database.url, id)).state));
    const [running, done] = ['processing', 'completed'];
    await expect.poll(states).toEqual([running, done, done, running, done]);
    await lock.release();
    expect([...(await ends).values()]).toEqual(ids.map(() => true));
    await expectExactCredits();
  });

  it('small batches that end together are completed beside one that cannot be, which stays as it was', async () => {
    const ids: number[] = [];
    for (const account of [...accounts, ...accounts.slice(0, 2)])
      ids.push(await queueBatch(database.url, { ...account, emails: EMAILS }));
    const [, , , lost] = ids;
    // Somebody has ended its reservation, which nothing of ours does.
    await onDatabase(
      database.url,
      'DELETE FROM credit_reservations WHERE id = (SELECT reservation_id FROM batches WHERE id = $1)',
      [lost],
    );
    const ends = await commitAll();
    expect(ends.get(lost!)).toContain('does not hold 2 credits');
    for (const id of ids.filter((one) => one !== lost)) {
      expect(ends.get(id)).toBe(true);
      expect(await readBatch(database.url, id)).toMatchObject({ state: 'completed', credits_charged: 2 });
    }
    expect(await readBatch(database.url, lost!)).toMatchObject({ state: 'processing', credits_charged: 0 });
    const stored = await onDatabase(database.url, 'SELECT batch_id::text AS id FROM batch_results');
    expect(stored).toHaveLength(4);
  });

  it('small batches that end together leave nothing half done where none of them can be completed together: each is then committed by itself', async () => {
    const id = await queueBatch(database.url, { ...accounts[0]!, emails: EMAILS });
    const commit = await leaseAll();
    // Nothing of ours does so. A result that stayed without its batch would be taken for one of another worker, and nobody would end the batch.
    await onDatabase(database.url, 'DELETE FROM batch_chunks WHERE batch_id = $1', [id]);
    expect(await commit()).toEqual(new Map([[id, true]]));
    expect(await readBatch(database.url, id)).toMatchObject({ state: 'completed', credits_charged: 2 });
    expect(await onDatabase(database.url, 'SELECT FROM batch_results')).toHaveLength(1);
    await expectExactCredits();
  });
});

/** Locks the balance of an account, as a statement that hangs would, until `release`. */
async function lockBalance({ accountId }: FullAccount): Promise<{ release(): Promise<unknown> }> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query('SELECT FROM credit_balances WHERE account_id = $1 FOR UPDATE', [accountId]);
  return { release: () => client.query('ROLLBACK') };
}

describe('small batches that come together', () => {
  it('small batches that come together do not wait for one whose balance is locked, which is taken in when it is free', async () => {
    const [locked, ...others] = accounts as [FullAccount, ...FullAccount[]];
    const lock = await lockBalance(locked);
    const send = ({ liveKey: key }: FullAccount) =>
      call(service, '/api/v1/verify/batch', { key, body: { emails: EMAILS } });
    const waiting = [send(locked), send(locked)];
    const replies = await Promise.all(others.map(send));
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    await lock.release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201]);
    await expectExactCredits();
  });

  it('small batches that come together are each taken in and reserved, or refused for their own want of credits', async () => {
    const [rich, other, poor] = accounts as [FullAccount, FullAccount, FullAccount];
    const senders = [rich, poor, other, poor, rich, poor, other, rich];
    const sent = senders.map(({ liveKey: key }, i) =>
      call(service, '/api/v1/verify/batch', { key, body: { emails: [`a${i}@example.com`, `b${i}@example.com`] } }),
    );
    const replies = await Promise.all(sent);
    const statuses = (account: FullAccount) =>
      replies
        .filter((_, i) => senders[i] === account)
        .map(({ status }) => status)
        .toSorted((one, other) => one - other);
    expect(statuses(rich)).toEqual([201, 201, 201]);
    expect(statuses(other)).toEqual([201, 201]);
    expect(statuses(poor)).toEqual([201, 402, 402]);
    expect(await balanceOf(poor)).toEqual({ available: 1, reserved: 2, used_total: 0 });
    expect(await balanceOf(rich)).toEqual({ available: 94, reserved: 6, used_total: 0 });
    const rows = await onDatabase(
      database.url,
      `SELECT batches.id::text, batch_chunks.items, reservation.amount::integer AS reserved
         FROM batches JOIN batch_chunks ON batch_id = batches.id JOIN batch_rows ON batch_rows.batch_id = batches.id
         JOIN credit_reservations AS reservation ON reservation.id = reservation_id
        WHERE state = 'queued' AND reservation.batch_id = batches.id`,
    );
    const taken = replies.flatMap(({ status, body }, i) =>
      status === 201 ? [{ id: String(body.id), items: `["a${i}@example.com","b${i}@example.com"]`, reserved: 2 }] : [],
    );
    const byId = (one: { id: string }, another: { id: string }) => Number(one.id) - Number(another.id);
    expect((rows as typeof taken).toSorted(byId)).toEqual(taken.toSorted(byId));
    await expectExactCredits();
  });
});
