import type { MonitorFinding, MonitorRun } from './findings/monitor-run.js';
import type { Monitor } from './findings/monitor.js';

/** The columns of each member: the statements follow these tables. */
export const MONITOR_COLUMNS: Readonly<Record<keyof Monitor, string>> = {
  id: 'id',
  accountId: 'account_id',
  simulated: 'simulated',
  kind: 'kind',
  target: 'target',
  name: 'name',
  settings: 'settings',
  intervalMinutes: 'interval_minutes',
  state: 'state',
  paused: 'paused',
  pausedWhy: 'paused_why',
  createdAt: 'created_at',
  nextRunAt: 'next_run_at',
  runs: 'runs',
  lastRunId: 'last_run_id',
  lastRunAt: 'last_run_at',
  unansweredSince: 'unanswered_since',
  stalledAt: 'stalled_at',
  memory: 'memory',
};

export const RUN_COLUMNS: Readonly<Record<keyof MonitorRun, string>> = {
  id: 'id',
  monitorId: 'monitor_id',
  number: 'number',
  cause: 'cause',
  state: 'state',
  answered: 'answered',
  startedAt: 'started_at',
  finishedAt: 'finished_at',
  factsHash: 'facts_hash',
  changed: 'changed',
  resultOf: 'result_of',
  opened: 'opened',
  resolved: 'resolved',
  creditsCharged: 'credits_charged',
};

export const FINDING_COLUMNS: Readonly<Record<keyof MonitorFinding, string>> = {
  id: 'id',
  monitorId: 'monitor_id',
  incidentId: 'incident_id',
  code: 'code',
  subject: 'subject',
  area: 'area',
  severity: 'severity',
  state: 'state',
  firstSeenAt: 'first_seen_at',
  confirmedAt: 'confirmed_at',
  lastSeenAt: 'last_seen_at',
  cleanSince: 'clean_since',
  resolvedAt: 'resolved_at',
  seenRuns: 'seen_runs',
  cleanRuns: 'clean_runs',
  flips: 'flips',
  notifiedState: 'told',
  notifiedSeverity: 'told_severity',
  notifiedAt: 'told_at',
  explanation: 'explanation',
  evidence: 'evidence',
  fix: 'fix',
  rfc: 'rfc',
  list: 'list',
  turnedAt: 'turned_at',
  mutedUntil: 'muted_until',
  note: 'note',
};

/** `id AS "id", account_id AS "accountId", …` @param table the name of the table in the statement */
export function selected(columns: Readonly<Record<string, string>>, table: string): string {
  return Object.entries(columns)
    .map(([member, column]) => `${table}.${column} AS "${member}"`)
    .join(', ');
}
