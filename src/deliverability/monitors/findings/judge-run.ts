import type { FindingCode, FindingSeverity } from '../../../engine/domain/finding.js';
import type { MonitorEventType, MonitorFinding, RunState, SeenFinding } from './monitor-run.js';
import type { Monitor } from './monitor.js';
import { SEVERITIES } from '../../../mail-dns/blacklist-row.js';
import { matters } from '../../../mail-dns/list-answer.js';
import type { TurnedList } from '../../blacklists/list-suspicions.service.js';
import { isChange } from './watched-set.js';
import { advance, againMs, type Circumstances, isFlapping, type ObservedStatus } from './advance.js';
import { type Observation, nameOf, statusWhenAbsent, SILENCE_CODE } from './observation.js';
import { type Timings, timingsOf } from './timings.js';
import { BY_SEVERITY } from './notification-policy.js';

/** What happened to a monitor or a finding, for the timeline. */
export interface TimelineEntry {
  readonly type: MonitorEventType;
  /** Left out: it is about the whole monitor. */
  readonly findingId?: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The findings of a monitor after a look, before anybody is told. */
interface Advanced {
  readonly findings: readonly MonitorFinding[];
  /** Suspected, and none. */
  readonly dropped: readonly number[];
  readonly entries: readonly TimelineEntry[];
  readonly opened: number;
  readonly resolved: number;
  /** How soon to look again; null: in its turn. */
  readonly againMs: number | null;
  readonly state: RunState;
}

/** Findings whose dates say all that there is to say; changes and silence were seen several times before they are findings. */
const isSettled = (code: string): boolean => CERTAIN.has(code) || code === SILENCE_CODE || isChange(code);
const CERTAIN: ReadonlySet<string> = new Set<FindingCode>([
  'cert_expires_soon',
  'cert_expired',
  'registration_expires_soon',
  'bimi_certificate_expires_soon',
  'bimi_certificate_expired',
]);

/**
 * Takes a look into account: what is known of each finding afterwards, and what happened.
 * @param newId for a finding that was never seen
 */
export function advanceFindings(
  { id: monitorId, simulated, memory }: Monitor,
  before: readonly MonitorFinding[],
  look: Observation,
  { now, newId }: { readonly now: Date; readonly newId: () => number },
): Advanced {
  const timings = timingsOf(simulated);
  const isFirstRun = memory.learned !== true;
  const seen = new Map(look.findings.map((one) => [nameOf(one), one]));
  const known = new Map(before.map((one) => [nameOf(one), one]));
  const findings: MonitorFinding[] = [];
  const dropped: number[] = [];
  const entries: TimelineEntry[] = [];
  const waits: number[] = look.againMs === null ? [] : [look.againMs];
  for (const name of new Set([...known.keys(), ...seen.keys()])) {
    const last = known.get(name) ?? null;
    const found = seen.get(name) ?? null;
    if (last?.state === 'resolved' && last.notifiedState !== 'open' && found === null) continue;
    const observed: ObservedStatus = found?.severity ?? statusWhenAbsent(last!, look);
    const isListing = (found ?? last)!.area === 'blacklists';
    const circumstances = { now, timings, isFirstRun, isListing, isCertain: isSettled((found ?? last)!.code) };
    const after = advance(last, observed, circumstances);
    if (after === null) {
      if (last !== null) dropped.push(last.id);
      continue;
    }
    const finding = together(after, last, found, { newId, monitorId, circumstances });
    findings.push(finding);
    entries.push(...entriesFor(last, finding, timings, now));
    const wait = againMs(after, observed, circumstances);
    if (wait !== null) waits.push(wait);
  }
  return {
    findings,
    dropped,
    entries,
    opened: entries.filter(({ type }) => type === 'finding.opened').length,
    resolved: entries.filter(({ type }) => type === 'finding.resolved').length,
    againMs: waits.length === 0 ? null : Math.min(...waits),
    state: stateAfter(findings, look),
  };
}

/** Lists whose listings have turned up under our eyes in this run. */
export function turnedLists(findings: readonly MonitorFinding[], now: Date): ReadonlyMap<string, TurnedList> {
  const turned = new Map<string, TurnedList>();
  for (const { list, turnedAt, evidence } of findings)
    if (list !== null && turnedAt?.getTime() === now.getTime())
      turned.set(list, { targets: (turned.get(list)?.targets ?? 0) + 1, isOfWeight: isOfWeight(evidence) });
  return turned;
}

/** Lists of low standing that have somebody of whom nobody was told, and when the last of them turned up. */
export function waitingLists(findings: readonly MonitorFinding[]): ReadonlyMap<string, Date> {
  const waiting = new Map<string, Date>();
  for (const { list, turnedAt, notifiedState, state, evidence } of findings) {
    if (list === null || turnedAt === null || notifiedState === 'open' || state === 'resolved' || isOfWeight(evidence))
      continue;
    if (turnedAt > (waiting.get(list) ?? 0)) waiting.set(list, turnedAt);
  }
  return waiting;
}

function isOfWeight({ list_severity: severity }: MonitorFinding['evidence']): boolean {
  return SEVERITIES.some((known) => known === severity && matters(known));
}

function stateAfter(findings: readonly MonitorFinding[], { answered, isOpen }: Observation): RunState {
  const open = findings.filter(({ state }) => state === 'open' || state === 'clearing');
  const has = (severity: FindingSeverity) => open.some((one) => one.severity === severity);
  if (has('critical')) return 'critical';
  if (!answered || isOpen) return 'unknown';
  return has('warning') ? 'warning' : 'ok';
}

function together(
  after: NonNullable<ReturnType<typeof advance>>,
  last: MonitorFinding | null,
  found: SeenFinding | null,
  { newId, monitorId, circumstances }: { newId: () => number; monitorId: number; circumstances: Circumstances },
): MonitorFinding {
  const shown = found ?? last!;
  const { code, area, subject, explanation, evidence, fix, rfc } = shown;
  const { now, isFirstRun, isListing } = circumstances;
  const isNew = found !== null && (last === null || last.state === 'resolved');
  return {
    id: last?.id ?? newId(),
    monitorId,
    code,
    area,
    subject,
    explanation,
    evidence,
    fix,
    rfc,
    ...after,
    // What is told as over is what was told as open, whatever came in between.
    incidentId: isNew && last?.notifiedState !== 'open' ? newId() : (last?.incidentId ?? null),
    list: isListing ? subject.split(' ')[0]! : null,
    turnedAt: isListing && isNew ? (isFirstRun ? null : now) : (last?.turnedAt ?? null),
    mutedUntil: last?.mutedUntil ?? null,
    note: last?.note ?? null,
  };
}

function entriesFor(
  last: MonitorFinding | null,
  finding: MonitorFinding,
  timings: Timings,
  now: Date,
): TimelineEntry[] {
  const { id, incidentId, code, area, subject, severity, state } = finding;
  const of = (type: MonitorEventType): TimelineEntry => ({
    type,
    findingId: id,
    data: { incident_id: incidentId ?? id, code, area, subject, severity },
  });
  const entries: TimelineEntry[] = [];
  const was = last?.state ?? 'resolved';
  const isOpen = state === 'open' || state === 'clearing';
  const wasOpen = was === 'open' || was === 'clearing';
  if (state === 'suspected' && was !== 'suspected') entries.push(of('finding.suspected'));
  if (isOpen && !wasOpen) entries.push(of('finding.opened'));
  if (isOpen && wasOpen && BY_SEVERITY.indexOf(severity) > BY_SEVERITY.indexOf(last!.severity))
    entries.push(of('finding.worsened'));
  if (isOpen && wasOpen && BY_SEVERITY.indexOf(severity) < BY_SEVERITY.indexOf(last!.severity))
    entries.push(of('finding.eased'));
  if (state === 'resolved' && wasOpen) entries.push(of('finding.resolved'));
  if (last !== null && isFlapping(finding, now, timings) && !isFlapping(last, now, timings))
    entries.push(of('finding.flapping'));
  return entries;
}
