import type { FindingCode, FindingSeverity } from '../../engine/domain/finding.js';
import type { MonitorEventType } from '../model/monitor-event.js';
import type { MonitorFinding } from '../model/monitor-finding.js';
import type { Monitor, MonitorSettings } from '../model/monitor.js';
import type { RunState, SeenFinding } from '../model/monitor-run.js';
import { SEVERITIES } from '../../mail-dns/blacklist-row.js';
import { matters } from '../../mail-dns/list-answer.js';
import type { TurnedList } from '../../blacklists/suspicions/list-suspicions.service.js';
import { isChange } from '../changes/change-findings.js';
import { advance, againMs, type Circumstances, isFlapping, type Sight } from './advance.js';
import { type Look, nameOf, SILENCE_CODE, sightOfUnseen } from './look.js';
import { type Pace, paceOf } from './pace.js';
import { asTold, BY_SEVERITY, type Word, wordOf } from './speech.js';

/** What happened to a monitor or a finding, for the timeline. */
export interface Happening {
  readonly type: MonitorEventType;
  readonly findingId: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The findings of a monitor after a look, before anybody is told. */
export interface Advanced {
  readonly findings: readonly MonitorFinding[];
  /** Suspected, and none. */
  readonly dropped: readonly number[];
  readonly happenings: readonly Happening[];
  readonly opened: number;
  readonly resolved: number;
  /** How soon to look again; null: in its turn. */
  readonly againMs: number | null;
  readonly state: RunState;
}

export interface Spoken {
  readonly finding: MonitorFinding;
  readonly word: Word;
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
  look: Look,
  { now, newId }: { readonly now: Date; readonly newId: () => number },
): Advanced {
  const pace = paceOf(simulated);
  const isFirstRun = memory.learned !== true;
  const seen = new Map(look.findings.map((one) => [nameOf(one), one]));
  const known = new Map(before.map((one) => [nameOf(one), one]));
  const findings: MonitorFinding[] = [];
  const dropped: number[] = [];
  const happenings: Happening[] = [];
  const waits: number[] = look.againMs === null ? [] : [look.againMs];
  for (const name of new Set([...known.keys(), ...seen.keys()])) {
    const last = known.get(name) ?? null;
    const found = seen.get(name) ?? null;
    if (last?.state === 'resolved' && last.told !== 'open' && found === null) continue;
    const sight: Sight = found?.severity ?? sightOfUnseen(last!, look);
    const isListing = (found ?? last)!.area === 'blacklists';
    const circumstances = { now, pace, isFirstRun, isListing, isCertain: isSettled((found ?? last)!.code) };
    const after = advance(last, sight, circumstances);
    if (after === null) {
      if (last !== null) dropped.push(last.id);
      continue;
    }
    const finding = together(after, last, found, { newId, monitorId, circumstances });
    findings.push(finding);
    happenings.push(...happened(last, finding, pace, now));
    const wait = againMs(after, sight, circumstances);
    if (wait !== null) waits.push(wait);
  }
  return {
    findings,
    dropped,
    happenings,
    opened: happenings.filter(({ type }) => type === 'finding.opened').length,
    resolved: happenings.filter(({ type }) => type === 'finding.resolved').length,
    againMs: waits.length === 0 ? null : Math.min(...waits),
    state: stateAfter(findings, look),
  };
}

/** What is to be told, and what is known to be told afterwards. @param isHeld whether a block list is under suspicion */
export function tellFindings(
  { simulated, settings, memory }: Monitor,
  findings: readonly MonitorFinding[],
  { now, isHeld }: { readonly now: Date; readonly isHeld: (list: string) => boolean },
): { readonly findings: readonly MonitorFinding[]; readonly spoken: readonly Spoken[] } {
  const pace = paceOf(simulated);
  const isSilent = memory.learned !== true && !settings.notifyFirst;
  const spoken: Spoken[] = [];
  const after = findings.map((finding) => {
    if (isSilent) return finding.state === 'open' && finding.told === null ? asTold(finding, null) : finding;
    // A listing that does no harm is never an alert.
    const alertFrom = finding.list !== null && settings.alertFrom === 'info' ? 'warning' : settings.alertFrom;
    const mutedUntil = mutedBoth(finding, settings);
    const word = wordOf(
      { ...finding, mutedUntil },
      { now, pace, alertFrom, isHeld: finding.list !== null && isHeld(finding.list) },
    );
    if (word === null) return finding;
    const told = asTold(finding, now);
    spoken.push({ finding: told, word });
    return told;
  });
  return { findings: after, spoken };
}

/** Until when a finding is muted, by itself or with all that its block list says; null: it is not. */
function mutedBoth({ list, mutedUntil }: MonitorFinding, { mutedLists = {} }: MonitorSettings): Date | null {
  const until = list !== null && Object.hasOwn(mutedLists, list) ? new Date(mutedLists[list]!.until) : null;
  return until !== null && (mutedUntil === null || until > mutedUntil) ? until : mutedUntil;
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
  for (const { list, turnedAt, told, state, evidence } of findings) {
    if (list === null || turnedAt === null || told === 'open' || state === 'resolved' || isOfWeight(evidence)) continue;
    if (turnedAt > (waiting.get(list) ?? 0)) waiting.set(list, turnedAt);
  }
  return waiting;
}

function isOfWeight({ list_severity: severity }: MonitorFinding['evidence']): boolean {
  return SEVERITIES.some((known) => known === severity && matters(known));
}

function stateAfter(findings: readonly MonitorFinding[], { answered, isOpen }: Look): RunState {
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
  const told = found ?? last!;
  const { code, area, subject, explanation, evidence, fix, rfc } = told;
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
    incidentId: isNew && last?.told !== 'open' ? newId() : (last?.incidentId ?? null),
    list: isListing ? subject.split(' ')[0]! : null,
    turnedAt: isListing && isNew ? (isFirstRun ? null : now) : (last?.turnedAt ?? null),
    mutedUntil: last?.mutedUntil ?? null,
    note: last?.note ?? null,
  };
}

function happened(last: MonitorFinding | null, finding: MonitorFinding, pace: Pace, now: Date): Happening[] {
  const { id, incidentId, code, area, subject, severity, state } = finding;
  const of = (type: MonitorEventType): Happening => ({
    type,
    findingId: id,
    data: { incident_id: incidentId ?? id, code, area, subject, severity },
  });
  const happenings: Happening[] = [];
  const was = last?.state ?? 'resolved';
  const isOpen = state === 'open' || state === 'clearing';
  const wasOpen = was === 'open' || was === 'clearing';
  if (state === 'suspected' && was !== 'suspected') happenings.push(of('finding.suspected'));
  if (isOpen && !wasOpen) happenings.push(of('finding.opened'));
  if (isOpen && wasOpen && BY_SEVERITY.indexOf(severity) > BY_SEVERITY.indexOf(last!.severity))
    happenings.push(of('finding.worsened'));
  if (isOpen && wasOpen && BY_SEVERITY.indexOf(severity) < BY_SEVERITY.indexOf(last!.severity))
    happenings.push(of('finding.eased'));
  if (state === 'resolved' && wasOpen) happenings.push(of('finding.resolved'));
  if (last !== null && isFlapping(finding, now, pace) && !isFlapping(last, now, pace))
    happenings.push(of('finding.flapping'));
  return happenings;
}
