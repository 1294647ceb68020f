import { counter } from '../platform/metrics/metrics.js';
import type { Monitor } from './model/monitor.js';
import type { MonitorRun } from './model/monitor-run.js';

const runs = counter(
  'mailsonde_monitor_runs_total',
  'Runs of monitors by what is watched, why it ran and what came of it; those of test keys are not counted.',
  ['kind', 'cause', 'state'],
);

export function countRun({ kind, simulated }: Monitor, { cause, state }: MonitorRun): void {
  if (!simulated) runs.inc({ kind, cause, state });
}
