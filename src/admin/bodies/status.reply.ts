import type { Status } from '../status/status-facts.js';
import { workersReply } from './health.reply.js';
import { operatorReply } from './operator.reply.js';
import { snakeRow } from '../../lib/snake-case.js';

export type StatusReply = ReturnType<typeof statusReply>;

/** `npm run admin -- status --json`. */
export function statusReply(status: Status) {
  const { checkedAt, version, problems, database, workload, oldestWaiting, resting, ledger, pool } = status;
  const { dueMonitors: monitors } = status;
  const { workers, queues, unworked_regions, port_25, resolver_doubts } = workersReply(workload);
  return {
    checked_at: checkedAt.toISOString(),
    version,
    problems,
    workers,
    queues,
    unworked_regions,
    oldest_waiting: oldestWaiting && snakeRow(oldestWaiting),
    operators: resting.map(operatorReply),
    port_25,
    resolver_doubts,
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
    late_endpoints: status.lateEndpoints.map(({ name: accountName, ...endpoint }) =>
      snakeRow({ ...endpoint, accountName }),
    ),
    days: status.days.map(({ utcDate, ...figures }) => ({ date: utcDate, ...figures })),
    refused_today: status.refusedToday.map(({ name: accountName, lastFour: keyLastFour, ...refused }) =>
      snakeRow({ ...refused, accountName, keyLastFour }),
    ),
    more_refused_today: status.moreRefusedToday,
    refusals: status.refusals.map(snakeRow),
    disk: status.disk && snakeRow(status.disk),
    database: snakeRow(database),
  };
}
