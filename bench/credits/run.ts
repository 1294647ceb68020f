import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { EntityManager } from 'typeorm';

import { BalanceCreditsService } from '../../src/credits/balance/balance-credits.service.js';
import { BalanceStore } from '../../src/credits/balance/balance.store.js';
import type { WantedCredits } from '../../src/credits/credit-source.js';
import type { Charge } from '../../src/credits/usage/used-work.js';
import { CreditsAudit } from '../../src/credits/balance/credits-audit.js';
import type { Principal } from '../../src/keys/access/principal.js';
import { UNLIMITED } from '../../src/keys/scope/key-scope.js';
import { loadPolicies, policyNamed } from '../../src/platform/config/policies.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { runMigrations } from '../../src/platform/database/migrate.js';
import { startPostgres } from '../../src/platform/embedded/postgres.js';
import { wallClock } from '../../src/platform/clock.js';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    pairs: { type: 'string', default: '20000' },
    disk: { type: 'string', default: '0' },
    work: { type: 'string', default: '0' },
  },
});
if (values.help) {
  console.log(
    'npm run bench:credits -- [--pairs 20000] [--disk 0] [--work 0]\n\n' +
      'With --disk each commit that waits for the disk waits so many milliseconds longer; with --work so many lie between reserve and settle.',
  );
  process.exit();
}
const pairs = Number(values.pairs);

/** One account that everybody uses, or a thousand. */
const SPREADS = [1, 1000];
const CALLERS = [1, 50, 200];
const VERIFICATION: WantedCredits = { amountCredits: 1, purpose: 'verify', workMs: 15_000 };
const CHARGE: Charge = { credits: 1, works: [{ verdict: 'valid', reason: 'mailbox_exists', items: 1, credits: 1 }] };

const folder = mkdtempSync(join(tmpdir(), 'mailsonde-bench-'));
const slow = values.disk === '0' ? [] : [`commit_delay=${1000 * Number(values.disk)}`, 'commit_siblings=0'];
const postgres = await startPostgres(folder, () => undefined, ['max_connections=50', ...slow]);
await runMigrations(postgres.url, () => undefined);
const database = await createDataSource(postgres.url);
const credits = new BalanceCreditsService(database, new BalanceStore(), wallClock());
const policy = policyNamed(loadPolicies({ retentionDays: 30 }).keyPolicies, 'scale');
const principals = await Promise.all(Array.from({ length: Math.max(...SPREADS) }, () => newAccount()));
const backends = await findBackends();

const work = async (): Promise<unknown> => values.work !== '0' && delay(Number(values.work));

const grouped = async (principal: Principal): Promise<void> => {
  const { id } = await credits.reserve(principal, VERIFICATION);
  await work();
  await credits.settle(id, CHARGE);
};
const alone = async (principal: Principal): Promise<void> => {
  const { id } = await credits.reserveIn(database.manager, principal, VERIFICATION);
  await work();
  await credits.settleIn(database.manager, id, CHARGE);
};

console.log(`${pairs} times reserve and settle, which is durable\n`);
console.log('accounts  callers  way       pairs/s   µs of Node  µs of PostgreSQL');
for (const spread of SPREADS)
  for (const callers of CALLERS)
    for (const [way, once] of Object.entries({ grouped, alone })) {
      const count = callers === 1 ? pairs / 10 : pairs;
      await measure(Math.ceil(count / 10), callers, spread, once);
      const { seconds, nodeMicros, postgresMicros } = await measure(count, callers, spread, once);
      const columns = [spread, callers, way, Math.round(count / seconds), nodeMicros / count, postgresMicros / count];
      console.log(columns.map((value, i) => format(value).padEnd([10, 9, 10, 10, 12, 0][i]!)).join(''));
    }

const startedAt = performance.now();
const { accounts, differing } = await new CreditsAudit(database).run();
const [{ entries }] = await database.query('SELECT count(*) AS entries FROM credit_ledger');
const auditMs = Math.round(performance.now() - startedAt);
console.log(`\naudit of ${accounts} accounts with ${entries} entries: ${auditMs} ms, ${differing.length} differ`);

await database.destroy();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });

async function newAccount(): Promise<Principal> {
  const [{ id }] = await database.query(
    `INSERT INTO accounts (kind, policy, created_at) VALUES ('full', 'scale', now()) RETURNING id`,
  );
  const given = { accountId: id, kind: 'grant', amount: 1e9, reason: 'bench', actor: 'bench' } as const;
  await database.transaction((tx: EntityManager) => credits.change(tx, { ...given, free: false, lowCredits: 0 }));
  return {
    keyId: id,
    accountId: id,
    kind: 'live',
    simulated: false,
    clientAddress: '127.0.0.1',
    policy,
    scope: UNLIMITED,
    ceilingId: null,
    claimer: null,
  };
}

/** One for each connection of the pool, all of them open. */
async function findBackends(): Promise<number[]> {
  const asked = Array.from({ length: 10 }, () => database.query('SELECT pg_backend_pid() AS pid, pg_sleep(0.2)'));
  return (await Promise.all(asked)).map(([{ pid }]) => pid as number);
}

async function measure(count: number, callers: number, spread: number, once: (principal: Principal) => Promise<void>) {
  const before = { at: performance.now(), node: nodeMicros(), postgres: postgresMicros() };
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) await once(principals[next++ % spread]!);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return {
    seconds: (performance.now() - before.at) / 1000,
    nodeMicros: nodeMicros() - before.node,
    postgresMicros: postgresMicros() - before.postgres,
  };
}

function nodeMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** CPU time of the server's processes that serve this one, in ticks of 10 ms. */
function postgresMicros(): number {
  return backends.reduce((sum, pid) => sum + ticksOf(pid), 0) * 10_000;
}

function ticksOf(pid: number): number {
  const stat = statOf(pid);
  return Number(stat[11] ?? 0) + Number(stat[12] ?? 0);
}

/** The fields of `/proc/<pid>/stat` after the command's name. */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function format(value: string | number): string {
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(1) : String(value);
}
