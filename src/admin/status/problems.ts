import type { SourceFault } from './faults.store.js';
import type { Status } from './status.service.js';

/* The limits of config/observability/rules.yml, without the time for which they must last there. */
const BATCH_WAITS_MS = 600_000;
const DELIVERY_LATE_MS = 300_000;
const MONITOR_LATE_MS = 300_000;
const NOT_COMPARED_MS = 600_000;
const POOL_LOW = 0.1;
const DISK_LOW = 0.1;
const UNKNOWN_TIMES = 2;
const UNKNOWN_SHARE = 0.05;
const MIN_ANSWERS = 100;

type Read = Omit<Status, 'checkedAt' | 'version' | 'problems'>;

/** What is wrong, a sentence each, in the order in which somebody should look. */
export function problemsOf(read: Read, now: number): string[] {
  return [...ofWork(read, now), ...ofMailHosts(read), ...ofAnswers(read), ...ofCredits(read, now), ...ofServers(read)];
}

function ofWork({ workload, oldestWaiting, lateEndpoints, faults }: Read, now: number): string[] {
  const { workers, unworked, deliveries } = workload;
  const problems: string[] = [];
  const isLate = (since: Date, limitMs: number): boolean => now - since.getTime() > limitMs;
  if (workers.length === 0) problems.push('No worker is alive: batches and webhooks wait.');
  for (const { region, batches, oldestBatchId } of unworked)
    problems.push(
      `No worker of the region ${region} is alive: ${counted(batches, 'batch waits', 'batches wait')}, the first is ${oldestBatchId}.`,
    );
  if (oldestWaiting !== null && isLate(oldestWaiting.since, BATCH_WAITS_MS))
    problems.push(
      `Batch ${oldestWaiting.id} of ${oldestWaiting.accountName ?? 'an agent'} waits: ${oldestWaiting.why}.`,
    );
  if (deliveries.oldestDueAt !== null && isLate(deliveries.oldestDueAt, DELIVERY_LATE_MS)) {
    const [first] = lateEndpoints;
    const whose = first === undefined ? '' : ` to endpoint ${first.id} of ${first.name ?? 'an agent'}`;
    problems.push(`A webhook delivery${whose} is late.`);
  }
  const { monitors } = faults;
  if (monitors !== null && isLate(monitors.since, MONITOR_LATE_MS))
    problems.push(
      `${counted(monitors.due, 'monitor is due and nobody runs it', 'monitors are due and nobody runs them')}: the first is ${monitors.id} of ${monitors.name ?? 'an agent'}.`,
    );
  return problems;
}

function ofMailHosts({ resting, workload, faults }: Read): string[] {
  const problems: string[] = [];
  for (const { name, circuits } of resting)
    for (const { source, lastRefusal } of circuits)
      problems.push(`The mail operator ${name} refuses us at ${source}: ${lastRefusal}.`);
  for (const { machine, state } of workload.port25)
    if (state === 'blocked') problems.push(`Port 25 does not leave the machine ${machine}.`);
  // Who has taken a source out knows it.
  const unwanted = faults.sources.filter(({ kind }) => kind !== 'drained' && kind !== 'paused');
  for (const fault of unwanted) problems.push(`The source ${faultText(fault)}.`);
  for (const { list, turned, watched } of faults.suspects)
    problems.push(
      `The block list ${list} turned ${turned} of ${watched} watched targets listed at once: nobody is told what it says.`,
    );
  return problems;
}

/** By days, where the alert takes a quarter of an hour and a day. */
function ofAnswers({ days: [yesterday, today] }: Read): string[] {
  const share = today.unknown / Math.max(1, today.answers);
  const before = yesterday.unknown / Math.max(1, yesterday.answers);
  const isMuch = today.answers > MIN_ANSWERS && share > UNKNOWN_SHARE && share > UNKNOWN_TIMES * before;
  if (!isMuch || yesterday.answers === 0) return [];
  return [
    `${percentOf(today.unknown, today.answers)} of today's answers are unknown, ${percentOf(yesterday.unknown, yesterday.answers)} were yesterday.`,
  ];
}

function ofCredits({ ledger, pool }: Read, now: number): string[] {
  const problems: string[] = [];
  if (ledger !== null && ledger.credits !== 0)
    problems.push(
      `Balances of ${counted(ledger.accounts, 'account', 'accounts')} differ from their ledgers, by ${ledger.credits} credits: "credits audit" names them.`,
    );
  if (ledger === null || now - ledger.measuredAt.getTime() > NOT_COMPARED_MS)
    problems.push('Balances and ledgers were not compared lately: no process of the service runs, or none can.');
  if (pool.capacity > 0 && pool.remaining / pool.capacity < POOL_LOW)
    problems.push('Agents have used nearly all of the day’s credits.');
  return problems;
}

function ofServers({ database, disk }: Read): string[] {
  const problems: string[] = [];
  if (database.connections > 0.9 * database.maxConnections) problems.push('PostgreSQL has hardly a connection left.');
  if (disk !== null && disk.freeBytes < DISK_LOW * disk.bytes)
    problems.push(`The disk of the database has ${Math.round((100 * disk.freeBytes) / disk.bytes)}% left.`);
  return problems;
}

/** Such as `west fails helo: probe.example.com has no address`. */
export function faultText({ source, kind, by, told }: SourceFault): string {
  switch (kind) {
    case 'check':
      return `${source} fails ${by}: ${told}`;
    case 'listed':
      return `${source} is on the block list ${by}: ${told}`;
    case 'unusable':
      return `${source} cannot be used on ${by}: ${told}`;
    case 'rests':
      return `${source} rests: ${told}`;
    case 'drained':
    case 'paused':
      return `${source} was ${kind} by ${by}: ${told}`;
  }
}

export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function percentOf(part: number, all: number): string {
  return `${all === 0 ? 0 : ((100 * part) / all).toFixed(1)}%`;
}
