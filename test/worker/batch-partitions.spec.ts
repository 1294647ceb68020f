import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { newBatchId } from '../../src/batch/model/batch-row.js';
import { BatchStore } from '../../src/batch/model/batch.store.js';
import { ReadDatabase } from '../../src/platform/database/read-database.js';
import { BatchCleanup } from '../../src/batch/upkeep/batch-cleanup.js';
import { BatchPartitionsService } from '../../src/batch/upkeep/batch-partitions.service.js';
import { SYSTEM_TIMER, wallClock } from '../../src/platform/clock.js';
import { loadPolicies } from '../../src/platform/config/policies.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { ErasureStore } from '../../src/privacy/erasure.store.js';
import { createFullAccount } from '../support/accounts.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const FIRST = Date.UTC(2027, 0, 10, 12);
const TABLES = ['batch_rows', 'batch_chunks', 'batch_results'] as const;
const PARTS_OF_A_BATCH = 100;

let now: number;
let database: TestDatabase;
let source: DataSource;
let accountId: string;
let partitions: BatchPartitionsService;
let cleanup: BatchCleanup;

beforeEach(async () => {
  now = FIRST;
  database = await createTestDatabase();
  onTestFinished(database.drop);
  source = await createDataSource(database.url);
  onTestFinished(() => source.destroy());
  ({ accountId } = await createFullAccount(database));
  ({ partitions, cleanup } = withRetention(30));
});

function withRetention(retentionDays: number): { partitions: BatchPartitionsService; cleanup: BatchCleanup } {
  const clock = wallClock(() => now);
  const made = new BatchPartitionsService(source, clock, loadPolicies({ retentionDays }).keyPolicies);
  return {
    partitions: made,
    cleanup: new BatchCleanup(source, made, clock, SYSTEM_TIMER),
  };
}

/** An ended batch of the present day. */
async function addBatch(retentionDays = 30, at = now): Promise<number> {
  const id = newBatchId(at);
  const made = new Date(at);
  await source.query(
    `INSERT INTO batches (id, account_id, key_id, policy, simulated, state, retention_days, created_at, finished_at, expires_at)
     VALUES ($1, $2, gen_random_uuid(), 'scale', true, 'completed', $3::integer, $4::timestamptz, $4, $4 + $3 * interval '1 day')`,
    [id, accountId, retentionDays, made],
  );
  await addParts(id);
  return id;
}

async function addParts(id: number): Promise<void> {
  await source.query(
    `WITH rows AS (INSERT INTO batch_rows (batch_id, number, items, row_refs)
       SELECT $1, n, '{}', decode(repeat('00', 4000), 'hex') FROM generate_series(1, ${PARTS_OF_A_BATCH}) AS n),
     results AS (INSERT INTO batch_results SELECT $1, n, 0, repeat(n::text, 1000) FROM generate_series(1, ${PARTS_OF_A_BATCH}) AS n)
     INSERT INTO batch_chunks (batch_id, number, partition, partitioned_by, size, items, due_at, done)
     SELECT $1, n, 0, 'operator', 1, repeat('jane@example.com', 300), now(), true FROM generate_series(1, ${PARTS_OF_A_BATCH}) AS n`,
    [id],
  );
}

/** Days of which there is a partition of each table. */
async function days(): Promise<string[]> {
  const rows: { day: string }[] = await source.query(
    `SELECT right(relname, 8) AS day FROM pg_class
      WHERE relispartition AND relkind = 'r' AND relname ~ '^batch_(rows|chunks|results)_[0-9]{8}$'
      GROUP BY 1 HAVING count(*) = 3 ORDER BY 1`,
  );
  return rows.map(({ day }) => day);
}

/** Of each of the three tables. */
async function partsOf(id: number, where = ''): Promise<number[]> {
  const counts = TABLES.map(async (table) => {
    const [row]: [{ n: number }] = await source.query(
      `SELECT count(*) AS n FROM ${table}${where} WHERE batch_id = $1`,
      [id],
    );
    return row.n;
  });
  return Promise.all(counts);
}

const ALL = TABLES.map(() => PARTS_OF_A_BATCH);
const NONE = TABLES.map(() => 0);

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe('partitions', () => {
  it('partitions are made of today and the seven days to come, once, also by two workers at the same time', async () => {
    await Promise.all([partitions.makeAhead(), withRetention(30).partitions.makeAhead()]);
    await partitions.makeAhead();
    expect(await days()).toEqual(['10', '11', '12', '13', '14', '15', '16', '17'].map((day) => `202701${day}`));
    expect(await partitions.makeAhead()).toBe(0);
  });

  it('partitions take what is stored of the batches of their days, and the default one takes the others', async () => {
    await partitions.makeAhead();
    const [today, early] = [await addBatch(), await addBatch(30, FIRST - 3 * DAY_MS)];
    expect(await partsOf(today, '_20270110')).toEqual(ALL);
    expect(await partsOf(early, '_default')).toEqual(ALL);
  });

  it('partitions hold several days each where batches are kept for years, and may change how many', async () => {
    await withRetention(600).partitions.makeAhead();
    expect((await days()).length).toBeLessThanOrEqual(2);
    await partitions.makeAhead();
    const id = await addBatch(30, FIRST + 7 * DAY_MS);
    expect(await partsOf(id, '_default')).toEqual(NONE);
  });

  it('partitions are not made of a day whose first rows had no place but the default one, and the days after it are', async () => {
    const id = await addBatch();
    await partitions.makeAhead();
    expect(await days()).toHaveLength(7);
    expect(await partsOf(id)).toEqual(ALL);
  });

  it('partitions are read and written by statements that look into one of them only', async () => {
    await partitions.makeAhead();
    const id = await addBatch();
    for (const statement of [
      `SELECT items FROM batch_chunks WHERE batch_id = ${id} AND number = 1`,
      `UPDATE batch_chunks SET attempts = 1 WHERE batch_id = ${id} AND number = ANY ('{1,2}')`,
    ]) {
      const plan = JSON.stringify(await source.query(`EXPLAIN ${statement}`));
      expect(plan.match(/batch_chunks_(\d{8}|default)/g)!.every((name) => name === 'batch_chunks_20270110')).toBe(true);
    }
  });
});

describe('retention', () => {
  it('retention drops thirty days with all their rows, and deletes none of these', async () => {
    await source.query(
      "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'a row was deleted'; END $$",
    );
    for (const table of TABLES)
      await source.query(`CREATE TRIGGER refuse BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const ids: number[] = [];
    for (let day = 0; day < 30; day++, now += DAY_MS) {
      await partitions.makeAhead();
      ids.push(await addBatch(1));
    }
    now += DAY_MS;
    expect(await cleanup.deleteExpired()).toBe(30);
    expect(await partitions.dropEmpty()).toBe(30);
    for (const id of ids) expect(await partsOf(id)).toEqual(NONE);
    expect(await source.query('SELECT FROM batch_remains')).toEqual([]);
  });

  it('retention deletes a batch that is kept shorter than others of its day with its rows at once', async () => {
    await partitions.makeAhead();
    const [short, long] = [await addBatch(7), await addBatch(30)];
    now += 7 * DAY_MS;
    await cleanup.run();
    expect([await partsOf(short), await partsOf(long)]).toEqual([NONE, ALL]);
    now += 23 * DAY_MS - 3_600_000;
    await cleanup.run();
    expect(await partsOf(long)).toEqual(ALL);
    now += 3_600_000;
    await cleanup.run();
    expect(await days()).not.toContain('20270110');
  });

  it('retention leaves rows to the end of their partition for a day at most, also when a batch of it is then kept longer', async () => {
    await partitions.makeAhead();
    const [gone, kept] = [await addBatch(30), await addBatch(30, FIRST + 1)];
    now += 30 * DAY_MS;
    await cleanup.deleteExpired();
    expect(await source.query('SELECT id FROM batches')).toEqual([{ id: kept }]);
    expect(await partsOf(gone)).toEqual(ALL);
    await source.query(`UPDATE batches SET expires_at = expires_at + interval '5 days'`);
    await source.query(`UPDATE batch_remains SET deleted_at = deleted_at - interval '25 hours'`);
    await cleanup.run();
    expect([await partsOf(gone), await partsOf(kept)]).toEqual([NONE, ALL]);
  });

  it('retention leaves nothing to the partition that an erasure asks for', async () => {
    await partitions.makeAhead();
    const gone = await addBatch();
    now += 30 * DAY_MS;
    await cleanup.deleteExpired();
    expect(await partsOf(gone)).toEqual(ALL);
    const erasure = { accountId, simulated: true, address: Buffer.of(1), suppressed: false, createdAt: new Date(now) };
    const erasures = new ErasureStore(source);
    await source.transaction((tx) => erasures.insert(tx, { id: randomUUID(), ...erasure }, [accountId]));
    expect(await partsOf(gone)).toEqual(NONE);
  });

  it('retention deletes at once, with its rows, what somebody deletes', async () => {
    await partitions.makeAhead();
    const id = await addBatch();
    now += 30 * DAY_MS - 60_000;
    await source.transaction((tx) => new BatchStore(source, new ReadDatabase(source, null)).delete(tx, id));
    expect(await partsOf(id)).toEqual(NONE);
  });

  it('retention deletes the batches of an account with their rows', async () => {
    await partitions.makeAhead();
    const ids = [await addBatch(), await addBatch(30, FIRST - 9 * DAY_MS)];
    await source.query('DELETE FROM credit_balances');
    await source.query('DELETE FROM accounts');
    for (const id of ids) expect(await partsOf(id)).toEqual(NONE);
  });

  it('retention also deletes what an upload that was given up stores afterwards', async () => {
    await partitions.makeAhead();
    const id = await addBatch();
    await source.query(
      `UPDATE batches SET state = 'receiving', finished_at = NULL, expires_at = NULL, created_at = created_at - interval '1 hour'`,
    );
    await cleanup.deleteExpired();
    expect(await partsOf(id)).toEqual(NONE);
    await addParts(id);
    await source.query(`UPDATE batch_remains SET deleted_at = deleted_at - interval '25 hours'`);
    await cleanup.run();
    expect(await partsOf(id)).toEqual(NONE);
  });

  it('retention empties a partition while a batch is worked on, which waits for nothing, and drops it afterwards', async () => {
    await partitions.makeAhead();
    const old = await addBatch(1);
    now += 3 * DAY_MS;
    const running = await addBatch();
    const worker = await connected();
    await worker.query('BEGIN');
    await worker.query('UPDATE batch_chunks SET attempts = 1 WHERE batch_id = $1 AND number = 1', [running]);
    await cleanup.run();
    expect(await partsOf(old)).toEqual(NONE);
    expect(await days()).toContain('20270110');
    await worker.query('UPDATE batch_chunks SET attempts = 2 WHERE batch_id = $1 AND number = 2', [running]);
    await worker.query('COMMIT');
    await cleanup.run();
    expect(await days()).not.toContain('20270110');
    expect(await partsOf(running)).toEqual(ALL);
  });
});
