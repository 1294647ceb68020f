import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { DataSource, QueryRunner } from 'typeorm';
import { DAY_MS } from '../../src/lib/durations.js';
import { ChunkStore, type Lease } from '../../src/batch/worker/chunk.store.js';
import { OpenBatchesStore } from '../../src/batch/worker/open-batches.store.js';
import { pickPartitions } from '../../src/batch/worker/pick-partitions.js';
import { isWorkedIn } from '../../src/batch/worker/leased-chunk.js';
import { newBatchId } from '../../src/batch/model/batch-row.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { startServers } from '../batch/world.js';

/*
 * What it costs a lease that only workers of an account's region may take its chunks. Each lease is taken as a worker takes it, by the
 * same statements with the condition and without it, in turns; what was leased is given back before the next one.
 */
const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    chunks: { type: 'string', default: '10000' },
    accounts: { type: 'string', default: '10000' },
    pairs: { type: 'string', default: '200' },
    plan: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`npm run bench:regions -- [--chunks 10000] [--accounts 10000] [--pairs 200] [--plan]

Leases a second with so many chunks that wait, with and without the condition on regions: of ten large batches, and of as many small
batches as chunks. None of the accounts has another region than the worker, a tenth of them, or nearly all. --plan shows the plans.`);
  process.exit();
}
const chunks = Number(values.chunks);
const accounts = Number(values.accounts);
const pairs = Number(values.pairs);

const LARGE_BATCHES = 10;
const SMALL_TOGETHER = 32;
/** Accounts that have sent the small batches. */
const SENDERS = 100;
const REGION = 'eu';

const servers = await startServers();
const { database } = servers;
const url = servers.environment.DATABASE_URL;
const kinds = { with: await createDataSource(url), without: withoutRegions(await createDataSource(url)) };
type Kind = keyof typeof kinds;

await database.query(
  `INSERT INTO accounts (kind, policy, name, created_at) SELECT 'full', 'scale', 'bench ' || i, now() FROM generate_series(1, $1) AS i`,
  [accounts],
);
console.log(`${chunks} chunks wait, ${accounts} accounts; medians of ${pairs} leases each, in turns\n`);
console.log(
  'what is leased                        accounts with a region   with, ms   without, ms   leases/s, with to without',
);
for (const shape of ['large', 'small'] as const) {
  await database.query('TRUNCATE batches, batch_rows, batch_chunks CASCADE');
  await fill(shape);
  for (const share of [0, 10, 90]) {
    await giveRegions(share);
    await database.query('VACUUM ANALYZE accounts, batches, batch_chunks');
    const times: Record<Kind, number[]> = { with: [], without: [] };
    for (let i = 0; i < pairs + 10; i++)
      // The one that comes first finds colder caches.
      for (const kind of i % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
        const ms = await lease(shape, kinds[kind]);
        if (i >= 10) times[kind].push(ms);
      }
    const [ours, bare] = [median(times.with), median(times.without)];
    // Two leases one after the other find the machine as busy as each other.
    const ratio = median(times.with.map((ms, i) => times.without[i]! / ms));
    const name =
      shape === 'large' ? `chunks of ${LARGE_BATCHES} large batches` : `${SMALL_TOGETHER} of ${chunks} small batches`;
    console.log(
      `${name.padEnd(38)}${`${share}%`.padStart(22)}${ours.toFixed(2).padStart(11)}${bare.toFixed(2).padStart(14)}${ratio.toFixed(3).padStart(27)}`,
    );
  }
  if (values.plan) await showPlan(shape);
}
await Promise.all(Object.values(kinds).map((one) => one.destroy()));
await servers.stop();
process.exit();

/** Chunks of a hundred addresses. */
async function fill(shape: 'large' | 'small'): Promise<void> {
  const batches = shape === 'large' ? LARGE_BATCHES : chunks;
  const each = chunks / batches;
  const ids = Array.from({ length: batches }, () => newBatchId(Date.now() - DAY_MS));
  await database.query(
    `INSERT INTO batches (id, account_id, key_id, policy, simulated, state, retention_days, total_rows, unique_addresses, open_chunks,
                          credit_source, credits_reserved, kind, created_at)
     SELECT id, (SELECT accounts.id FROM accounts ORDER BY created_at, id OFFSET n % $3 LIMIT 1), gen_random_uuid(), 'scale', false, 'queued', 30,
            $2 * 100, $2 * 100, $2, 'none', 0, 'verify', now() - n * interval '1 ms'
       FROM unnest($1::bigint[]) WITH ORDINALITY AS batch (id, n)`,
    [ids, each, shape === 'large' ? LARGE_BATCHES : SENDERS],
  );
  await database.query(
    `INSERT INTO batch_chunks (batch_id, number, partition, partitioned_by, size, items, duplicates, due_at)
     SELECT id, number, number % 64, 'operator', 100,
            (SELECT json_agg('user' || i || '@domain' || number % 64 || '.example.com')::text FROM generate_series(1, 100) AS i), '{}',
            now() - interval '1 hour'
       FROM unnest($1::bigint[]) AS batch (id), generate_series(0, $2 - 1) AS number`,
    [ids, each],
  );
}

/** To so many of a hundred accounts, none of which has batches, so that every lease has the same to choose from. */
async function giveRegions(share: number): Promise<void> {
  await database.query(
    `UPDATE accounts SET region = CASE WHEN n % 100 < $1 AND n > ${SENDERS} THEN 'us' END
       FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS n FROM accounts) AS numbered WHERE numbered.id = accounts.id`,
    [share],
  );
}

/** @returns milliseconds until the chunks are leased */
async function lease(shape: 'large' | 'small', source: DataSource): Promise<number> {
  const now = new Date();
  const mine: Lease = {
    owner: randomUUID(),
    workerId: 1,
    region: REGION,
    now,
    expiresAt: new Date(now.getTime() + 60_000),
  };
  const open = new OpenBatchesStore(source);
  const store = new ChunkStore(source);
  const beganAt = performance.now();
  if (shape === 'small') {
    const leased = await open.leaseSmall(mine, [], SMALL_TOGETHER);
    const ms = performance.now() - beganAt;
    if (leased.length !== SMALL_TOGETHER) throw new Error(`${leased.length} small batches were leased`);
    await database.query(
      `UPDATE batches SET state = 'queued', started_at = NULL WHERE id IN (SELECT batch_id FROM batch_chunks WHERE lease_owner = $1)`,
      [mine.owner],
    );
    await giveBack(mine.owner);
    return ms;
  }
  const [id] = await open.nextBatches(mine, [], true, 10);
  const choice = pickPartitions(await store.openPartitions(id!, { now }), new Map(), 0.25);
  const leased = await store.leaseChunks(id!, choice!, mine);
  const ms = performance.now() - beganAt;
  if (leased.length === 0) throw new Error('no chunk was leased');
  await giveBack(mine.owner);
  return ms;
}

async function giveBack(owner: string): Promise<void> {
  await database.query(
    `UPDATE batch_chunks SET lease_owner = NULL, worker_id = NULL, lease_expires_at = NULL, attempts = 0 WHERE lease_owner = $1`,
    [owner],
  );
}

async function showPlan(shape: 'large' | 'small'): Promise<void> {
  const { rows } = await database.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) SELECT count(*) FROM batches
      WHERE finished_at IS NULL AND ${isWorkedIn(`'${REGION}'`)}`,
  );
  console.log(`\nthe condition alone, ${shape} batches:\n${rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}\n`);
}

/** A data source whose statements have no condition on regions. */
function withoutRegions(source: DataSource): DataSource {
  const createRunner = source.createQueryRunner.bind(source);
  source.createQueryRunner = (...parameters): QueryRunner => {
    const runner = createRunner(...parameters);
    const connect = runner.connect.bind(runner);
    runner.connect = async () => {
      const client = (await connect()) as { query: (config: { text: string }) => Promise<unknown> };
      return { query: (config: { text: string }) => client.query({ ...config, text: withoutCondition(config.text) }) };
    };
    return runner;
  };
  return source;
}

function withoutCondition(text: string): string {
  let left = text;
  for (let i = 1; i < 10; i++) left = left.replaceAll(isWorkedIn(`$${i}`), `($${i}::text IS NULL OR TRUE)`);
  return left;
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
}
