import type { Problem, SourceFault, Status } from './status-facts.js';
import { counted } from '../../platform/counted.js';

/**
 * From where on a state is a problem: the limits of the alerts of config/observability/rules.yml, without the time for which they must last
 * there. The file is Prometheus's, which reads no other, so that the limits stand twice; `problems.spec.ts` holds them together.
 */
export const ALERT_LIMITS = {
  MailsondeBatchWaits: { seconds: 600 },
  MailsondeWebhooksLate: { seconds: 300 },
  MailsondeMonitorsLate: { seconds: 300 },
  MailsondeLedgerNotCompared: { seconds: 600 },
  MailsondeAgentPoolLow: { share: 0.1 },
  /** So many times the share of the day before, at least this share, of more than so many answers. */
  MailsondeUnknownShare: { times: 2, share: 0.05, answers: 100 },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Of these no alert is told: the database is the operator's, and so are its own tools. */
const MAX_CONNECTIONS_SHARE = 0.9;
const DISK_LOW = 0.1;

type Read = Omit<Status, 'checkedAt' | 'version' | 'problems'>;

/** What somebody is called for stands first. */
export function problemsOf(read: Read, now: number): Problem[] {
  return [
    ...ofResolvers(read),
    ...ofWork(read, now),
    ...ofCredits(read, now),
    ...ofServers(read),
    ...ofMailHosts(read),
    ...ofMonitors(read, now),
    ...ofAnswers(read),
    ...ofNameRuns(read),
  ];
}

const LIES = {
  denies: 'it says that domains do not exist which it must know',
  makes_up: 'it has addresses for names that nobody has registered',
} as const;

/** While it lies nearly everything else is unknown. */
function ofResolvers({ workload: { resolverDoubts } }: Read): Problem[] {
  return resolverDoubts.map(({ machine, finding }) => ({
    alert: 'MailsondeResolverLies',
    text: `The DNS resolver of the machine ${machine} lies: ${LIES[finding]}. What needs the DNS is unknown there, and free, until it tells the truth; "npm run doctor" tests it.`,
  }));
}

function ofWork({ workload, oldestWaiting, lateEndpoints }: Read, now: number): Problem[] {
  const { workers, unworked, deliveries } = workload;
  const problems: Problem[] = [];
  if (workers.length === 0)
    problems.push({ alert: 'MailsondeNoWorker', text: 'No worker is alive: batches and webhooks wait.' });
  for (const { region, batches, oldestBatchId } of unworked) {
    const whose = oldestBatchId === oldestWaiting?.id ? ` of ${oldestWaiting.accountName ?? 'an agent'}` : '';
    problems.push({
      alert: 'MailsondeBatchWaits',
      text: `No worker of the region ${region} is alive (REGION=${region}): ${counted(batches, 'batch waits', 'batches wait')}, the first is ${oldestBatchId}${whose}.`,
    });
  }
  const isTold = unworked.some(({ oldestBatchId }) => oldestBatchId === oldestWaiting?.id);
  if (oldestWaiting !== null && !isTold && isLate(oldestWaiting.since, ALERT_LIMITS.MailsondeBatchWaits, now))
    problems.push({
      alert: 'MailsondeBatchWaits',
      text: `Batch ${oldestWaiting.id} of ${oldestWaiting.accountName ?? 'an agent'} waits: ${oldestWaiting.why}.`,
    });
  const [first] = lateEndpoints;
  if (deliveries.oldestDueAt !== null && isLate(deliveries.oldestDueAt, ALERT_LIMITS.MailsondeWebhooksLate, now)) {
    const whose = first === undefined ? '' : ` to endpoint ${first.id} of ${first.name ?? 'an agent'}`;
    problems.push({ alert: 'MailsondeWebhooksLate', text: `Webhooks${whose} are late.` });
  }
  return problems;
}

const isLate = (since: Date, { seconds }: { readonly seconds: number }, now: number): boolean =>
  now - since.getTime() > 1000 * seconds;

function ofMonitors({ dueMonitors, suspectLists }: Read, now: number): Problem[] {
  const problems: Problem[] = [];
  if (dueMonitors !== null && isLate(dueMonitors.since, ALERT_LIMITS.MailsondeMonitorsLate, now))
    problems.push({
      alert: 'MailsondeMonitorsLate',
      text: `${counted(dueMonitors.due, 'monitor is due and nobody runs it', 'monitors are due and nobody runs them')}: the first is ${dueMonitors.id} of ${dueMonitors.name ?? 'an agent'}.`,
    });
  for (const { list, turned, watched } of suspectLists)
    problems.push({
      alert: 'MailsondeBlacklistSuspect',
      text: `The block list ${list} turned ${turned} of ${watched} watched targets listed at once: nobody is told what it says.`,
    });
  return problems;
}

/** A block list is why a source rests; who has taken one out knows it (null). */
const ALERTS_OF_SOURCES: Readonly<Record<SourceFault['kind'], string | null>> = {
  listed: 'MailsondeSourceListed',
  unusable: 'MailsondeSourceRests',
  check: 'MailsondeSourceIdentity',
  rests: 'MailsondeSourceListed',
  drained: null,
  paused: null,
};

function ofMailHosts({ resting, workload, sourceFaults }: Read): Problem[] {
  const problems: Problem[] = [];
  for (const { machine, state } of workload.port25)
    if (state === 'blocked')
      problems.push({ alert: 'MailsondePort25Closed', text: `Port 25 does not leave the machine ${machine}.` });
  for (const { name, circuits } of resting)
    for (const { source, lastRefusal } of circuits)
      problems.push({
        alert: 'MailsondeOperatorBreakerOpen',
        text: `The mail operator ${name} refuses us at ${source}: ${lastRefusal}.`,
      });
  for (const { name, measure } of resting)
    if ((measure?.acceptsAllSince ?? null) !== null)
      problems.push({
        alert: 'MailsondeOperatorAcceptsAll',
        text: `The mail operator ${name} accepts names that nobody has: what it accepts is catch_all.`,
      });
  for (const fault of sourceFaults) {
    const alert = ALERTS_OF_SOURCES[fault.kind];
    if (alert !== null) problems.push({ alert, text: `The source ${faultText(fault)}.` });
  }
  return problems;
}

/** By days, where the alert takes a quarter of an hour and a day. */
function ofAnswers({ days: [yesterday, today] }: Read): Problem[] {
  const share = today.unknown / Math.max(1, today.answers);
  const before = yesterday.unknown / Math.max(1, yesterday.answers);
  const limits = ALERT_LIMITS.MailsondeUnknownShare;
  const isMuch = today.answers > limits.answers && share > limits.share && share > limits.times * before;
  if (!isMuch || yesterday.answers === 0) return [];
  const [shareNow, shareBefore] = [
    percentOf(today.unknown, today.answers),
    percentOf(yesterday.unknown, yesterday.answers),
  ];
  return [
    {
      alert: 'MailsondeUnknownShare',
      text: `${shareNow} of today's answers are unknown, ${shareBefore} were yesterday.`,
    },
  ];
}

/** It is slowed down already, so nobody has to act at once. */
function ofNameRuns({ nameRuns }: Read): Problem[] {
  return nameRuns.map(({ accountId, name, domain, answered, notFound }) => ({
    alert: null,
    text: `Account ${name ?? accountId} checks many invented names at ${domain}: ${notFound} of ${answered} do not exist, so Mailsonde slows the account down there.`,
  }));
}

function ofCredits({ ledger, pool }: Read, now: number): Problem[] {
  const problems: Problem[] = [];
  if (ledger !== null && ledger.credits !== 0)
    problems.push({
      alert: 'MailsondeLedgerDrift',
      text: `Balances of ${counted(ledger.accounts, 'account', 'accounts')} differ from their ledgers, by ${counted(ledger.credits, 'credit')}: "credits audit" names them.`,
    });
  if (ledger === null || isLate(ledger.measuredAt, ALERT_LIMITS.MailsondeLedgerNotCompared, now))
    problems.push({
      alert: 'MailsondeLedgerNotCompared',
      text: 'Balances and ledgers were not compared lately: no process of the service runs, or none can.',
    });
  if (pool.capacity > 0 && pool.remaining / pool.capacity < ALERT_LIMITS.MailsondeAgentPoolLow.share)
    problems.push({ alert: 'MailsondeAgentPoolLow', text: 'Agents have used nearly all of the day’s credits.' });
  return problems;
}

function ofServers({ database, disk }: Read): Problem[] {
  const problems: Problem[] = [];
  if (database.connections > MAX_CONNECTIONS_SHARE * database.maxConnections)
    problems.push({ alert: null, text: 'PostgreSQL has hardly a connection left.' });
  if (disk !== null && disk.freeBytes < DISK_LOW * disk.bytes)
    problems.push({
      alert: null,
      text: `The disk of the database has ${Math.round((100 * disk.freeBytes) / disk.bytes)}% left.`,
    });
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

export function percentOf(part: number, all: number): string {
  return `${all === 0 ? 0 : ((100 * part) / all).toFixed(1)}%`;
}
