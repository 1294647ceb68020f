import type { Status } from '../status/status-facts.js';
import { workersReply } from './health.reply.js';
import { operatorReply } from './operator.reply.js';

export type StatusReply = ReturnType<typeof statusReply>;

/** `npm run admin -- status --json`. */
export function statusReply(status: Status) {
  const { checkedAt, version, problems, database, workload, oldestWaiting, resting, ledger, pool } = status;
  const { dueMonitors: monitors } = status;
  const { workers, queues, unworked_regions, port_25 } = workersReply(workload);
  return {
    checked_at: checkedAt.toISOString(),
    version,
    problems,
    workers,
    queues,
    unworked_regions,
    oldest_waiting: oldestWaiting && {
      id: oldestWaiting.id,
      account_id: oldestWaiting.accountId,
      account_name: oldestWaiting.accountName,
      since: oldestWaiting.since.toISOString(),
      why: oldestWaiting.why,
    },
    operators: resting.map(operatorReply),
    port_25,
    ledger: ledger && {
      drift: ledger.credits,
      accounts: ledger.accounts,
      compared_at: ledger.measuredAt.toISOString(),
    },
    pool: { remaining: pool.remaining, capacity: pool.capacity, resets_at: pool.resetsAt.toISOString() },
    source_faults: status.sourceFaults.map(({ source, kind, by, told }) => ({ source, kind, by, text: told })),
    monitors_due: monitors && {
      monitors: monitors.due,
      oldest_id: monitors.id,
      account_id: monitors.accountId,
      account_name: monitors.name,
      since: monitors.since.toISOString(),
    },
    suspect_lists: status.suspectLists,
    begun: status.begun,
    late_endpoints: status.lateEndpoints.map(({ id, accountId, name, due, oldestDueAt, ...endpoint }) => ({
      id,
      account_id: accountId,
      account_name: name,
      due,
      oldest_due_at: oldestDueAt.toISOString(),
      failing_since: endpoint.failingSince?.toISOString() ?? null,
      last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
      last_failure: endpoint.lastFailure,
    })),
    days: status.days.map(({ utcDate, ...figures }) => ({ date: utcDate, ...figures })),
    refused_today: status.refusedToday.map(({ accountId, name, keyId, lastFour, status: code, refusals, why }) => ({
      account_id: accountId,
      account_name: name,
      key_id: keyId,
      key_last_four: lastFour,
      status: code,
      refusals,
      why,
    })),
    refusals: status.refusals.map(({ operator, source, kind, refusals, lastReply, lastText, lastAt }) => ({
      operator,
      source,
      kind,
      refusals,
      last_reply: lastReply,
      last_text: lastText,
      last_at: lastAt.toISOString(),
    })),
    disk: status.disk && { free_bytes: status.disk.freeBytes, bytes: status.disk.bytes },
    database: {
      version: database.version,
      bytes: database.bytes,
      connections: database.connections,
      max_connections: database.maxConnections,
      largest: database.largest,
    },
  };
}
