import { columnsNamed } from '../../platform/database/rows.js';
import type { MonitorFinding, MonitorRun } from './findings/monitor-run.js';
import type { Monitor } from './findings/monitor.js';

/** The columns of each member: the statements follow these tables. */
export const MONITOR_COLUMNS = columnsNamed<Monitor>()(`
  id accountId simulated kind target name settings intervalMinutes state paused pausedWhy createdAt nextRunAt runs
  lastRunId lastRunAt unansweredSince stalledAt memory
`);

export const RUN_COLUMNS = columnsNamed<MonitorRun>()(`
  id monitorId number cause state answered untrusted startedAt finishedAt factsHash changed resultOf opened resolved
  creditsCharged
`);

export const FINDING_COLUMNS = {
  ...columnsNamed<MonitorFinding>()(`
    id monitorId incidentId code subject area severity state firstSeenAt confirmedAt lastSeenAt cleanSince resolvedAt
    seenRuns cleanRuns flips notifiedState notifiedSeverity notifiedAt explanation evidence fix rfc list turnedAt
    mutedUntil note
  `),
  notifiedState: 'told',
  notifiedSeverity: 'told_severity',
  notifiedAt: 'told_at',
};
