import { parseArgs } from 'node:util';
import { startServers } from '../batch/world.js';

/*
 * The ledger as it is beside one that is divided by months (ADR 45): bytes an entry, what 10,000 further entries cost, and the newest page
 * of an account. Entries are spread over two years and so many accounts.
 */
const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    entries: { type: 'string', default: '1000000' },
    accounts: { type: 'string', default: '1000' },
    months: { type: 'string', default: '24' },
  },
});
if (values.help) {
  console.log(
    'npm run bench:ledger -- [--entries 1000000] [--accounts 1000] [--months 24]\n\n' +
      'The ledger as it is beside one that is divided by months: bytes an entry, what further entries cost, and the newest page of an account.',
  );
  process.exit();
}
const [entries, accounts, months] = [values.entries, values.accounts, values.months].map(Number) as [
  number,
  number,
  number,
];
const ADDED = 10_000;
const PAGE = 50;
const READS = 300;

const servers = await startServers();
const { database } = servers;
await database.query(`
  CREATE TABLE by_month (LIKE credit_ledger INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (created_at);
  ALTER TABLE by_month ADD PRIMARY KEY (account_id, number, created_at);
  CREATE INDEX ON by_month (account_id, key_id, number) WHERE key_id IS NOT NULL;
  CREATE INDEX ON by_month (account_id, batch_id, number) WHERE batch_id IS NOT NULL;
  CREATE INDEX ON by_month (account_id, number) WHERE kind IN ('grant', 'adjust');
  CREATE TABLE whose AS SELECT gen_random_uuid() AS id, n FROM generate_series(0, ${accounts - 1}) AS n;
  CREATE INDEX ON whose (n)`);
for (let month = 0; month < months; month++)
  await database.query(
    `CREATE TABLE by_month_${month} PARTITION OF by_month
       FOR VALUES FROM (timestamptz '2025-01-01Z' + interval '${month} months') TO (timestamptz '2025-01-01Z' + interval '${month + 1} months')`,
  );
const EVERY = `interval '${months} months' / ${entries + ADDED}`;

console.log(`${entries} entries of ${accounts} accounts over ${months} months\n`);
console.log('ledger      bytes an entry   µs a further entry   newest page, ms   planned of it, ms');
for (const table of ['credit_ledger', 'by_month']) {
  await fill(table, 0, entries);
  await database.query(`VACUUM ANALYZE ${table}`);
  const { rows: sizes } = await database.query<{ bytes: number }>(
    `SELECT coalesce(sum(pg_total_relation_size(relid)), pg_total_relation_size($1::text::regclass))::float AS bytes
       FROM pg_partition_tree($1::text::regclass)`,
    [table],
  );
  const beganAt = performance.now();
  await fill(table, entries, entries + ADDED);
  const added = ((performance.now() - beganAt) * 1_000) / ADDED;
  const page = await newestPage(table);
  const bytes = (sizes[0]!.bytes / entries).toFixed(0);
  console.log(
    `${table.padEnd(12)}${bytes.padStart(14)}${added.toFixed(1).padStart(21)}${page.ms.toFixed(3).padStart(18)}${page.planMs.toFixed(3).padStart(20)}`,
  );
}
await servers.stop();
process.exit();

async function fill(table: string, from: number, to: number): Promise<void> {
  await database.query(
    `INSERT INTO ${table} (account_id, number, created_at, kind, amount, balance_after, purpose, key_id)
     SELECT id, i / ${accounts} + 1, timestamptz '2025-01-01Z' + i * (${EVERY}), 'charge', -1, 1000000, 'verify', id
       FROM generate_series($1::integer, $2::integer) AS i JOIN whose ON n = i % ${accounts}`,
    [from, to - 1],
  );
}

/** Medians, as `LedgerStore.list` reads it. */
async function newestPage(table: string): Promise<{ ms: number; planMs: number }> {
  const times: { ms: number; planMs: number }[] = [];
  for (let i = 0; i < READS; i++) {
    const { rows } = await database.query<{ 'QUERY PLAN': [Record<string, number>] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) SELECT * FROM ${table}
        WHERE account_id = (SELECT id FROM whose WHERE n = ${i % accounts}) ORDER BY number DESC LIMIT ${PAGE}`,
    );
    const [plan] = rows[0]!['QUERY PLAN'];
    times.push({ ms: plan['Planning Time']! + plan['Execution Time']!, planMs: plan['Planning Time']! });
  }
  const middle = (of: (one: (typeof times)[number]) => number) => times.map(of).sort((a, b) => a - b)[READS / 2]!;
  return { ms: middle(({ ms }) => ms), planMs: middle(({ planMs }) => planMs) };
}
