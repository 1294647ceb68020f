import { untrustedSentence } from '../../../mail-dns/untrusted.js';
import { isFlapping } from '../findings/advance.js';
import { timingsOf } from '../findings/timings.js';
import type {
  ListFact,
  MonitorEvent,
  MonitorFinding,
  MonitorRun,
  RunResult,
  RunWithResult,
  SeenFinding,
} from '../findings/monitor-run.js';
import { shownState } from '../findings/monitor.js';
import { MonitorEventReply, MonitorFindingReply } from './monitor-findings.reply.js';
import { type MonitorDiffReply, MonitorRunReply, MonitorRunWithResultReply } from './monitor-runs.reply.js';
import { MonitorReply, MutedListReply } from './monitors.reply.js';
import { replyOf } from '../../../platform/http/reply.js';
import { pauseText } from '../monitor-choices.js';
import type { MonitorWithCounts } from '../monitors.store.js';
import type { KeyPolicy } from '../../../platform/config/policies.js';
import type { FoundRecordReply } from '../../domains/finding.reply.js';
import { nameOf } from '../findings/observation.js';

/** @param now those that are muted longer are shown */
export function monitorReply(monitor: MonitorWithCounts, policy: KeyPolicy, now: number) {
  const { settings, paused, nextRunAt } = monitor;
  return replyOf(MonitorReply, {
    ...monitor,
    ...settings,
    state: shownState(monitor),
    pausedBy: paused,
    pausedWhy: pauseText(monitor, policy),
    enabled: paused !== 'owner',
    mutedLists: Object.entries(settings.mutedLists ?? {})
      .filter(([, { until }]) => Date.parse(until) > now)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([list, { until: mutedUntil, note, since = null, keyId = null }]) =>
        replyOf(MutedListReply, { list, mutedUntil, note, since, keyId }),
      ),
    nextRunAt: paused === null ? nextRunAt : null,
    unansweredWhy: unansweredWhy(monitor.untrustedCredits),
  });
}

/** @param untrustedCredits what a run has cost in which our own resolver was not believed; null: it was */
function unansweredWhy(untrustedCredits: number | null): string | null {
  return untrustedCredits === null ? null : untrustedSentence('monitor', untrustedCredits === 0);
}

const withWhy = <Run extends MonitorRun>(run: Run) => ({
  ...run,
  unansweredWhy: unansweredWhy(run.untrusted ? run.creditsCharged : null),
});

export const runReply = (run: MonitorRun) => replyOf(MonitorRunReply, withWhy(run));

export const runWithResultReply = (run: RunWithResult) =>
  replyOf(MonitorRunWithResultReply, { ...withWhy(run), ...run.result });

export const eventReply = (event: MonitorEvent) => replyOf(MonitorEventReply, event);

export function findingReply(finding: MonitorFinding, { simulated }: { readonly simulated: boolean }, now: Date) {
  return replyOf(MonitorFindingReply, {
    ...finding,
    incidentId: finding.incidentId ?? finding.id,
    flapping: isFlapping(finding, now, timingsOf(simulated)),
    resolvedAt: finding.state === 'resolved' ? finding.resolvedAt : null,
  });
}

/** What differs between two runs. A name and type that has records in both, and others, has changed; the order is no change. */
export function runDiff(from: RunWithResult, to: RunWithResult): MonitorDiffReply {
  const records = recordDiff(from.result.facts.records, to.result.facts.records);
  return {
    from: from.id,
    to: to.id,
    ...records,
    listings_changed: listingDiff(from.result.facts.blacklists, to.result.facts.blacklists),
    findings_opened: without(to.result, from.result),
    findings_resolved: without(from.result, to.result),
  };
}

function recordDiff(before: readonly FoundRecordReply[], after: readonly FoundRecordReply[]) {
  const [old, now] = [byPlace(before), byPlace(after)];
  const added: FoundRecordReply[] = [];
  const removed: FoundRecordReply[] = [];
  const changed: MonitorDiffReply['records_changed'][number][] = [];
  for (const place of new Set([...old.keys(), ...now.keys()])) {
    const [a, b] = [old.get(place) ?? [], now.get(place) ?? []];
    if (a.length === 0) added.push(...b);
    else if (b.length === 0) removed.push(...a);
    else if (JSON.stringify(valuesOf(a)) !== JSON.stringify(valuesOf(b))) {
      const { name, type } = a[0]!;
      changed.push({ name, type, before: valuesOf(a), after: valuesOf(b) });
    }
  }
  return { records_added: added, records_removed: removed, records_changed: changed };
}

function byPlace(records: readonly FoundRecordReply[]): ReadonlyMap<string, readonly FoundRecordReply[]> {
  const places = new Map<string, FoundRecordReply[]>();
  for (const record of records) {
    const place = `${record.area} ${record.name} ${record.type}`;
    places.set(place, [...(places.get(place) ?? []), record]);
  }
  return places;
}

function valuesOf(records: readonly FoundRecordReply[]): string[] {
  return records.map(({ value }) => value).toSorted();
}

function listingDiff(before: readonly ListFact[], after: readonly ListFact[]): MonitorDiffReply['listings_changed'] {
  const keyOf = ({ list, target }: ListFact) => `${list} ${target}`;
  const [old, now] = [before, after].map((facts) => new Map(facts.map((fact) => [keyOf(fact), fact])));
  return [...new Set([...old!.keys(), ...now!.keys()])].flatMap((key) => {
    const [a, b] = [old!.get(key) ?? null, now!.get(key) ?? null];
    if (a?.status === b?.status) return [];
    const { list, target } = (a ?? b)!;
    return [{ list, target, before: a?.status ?? null, after: b?.status ?? null }];
  });
}

function without({ findings }: RunResult, other: RunResult): readonly SeenFinding[] {
  const names = new Set(other.findings.map(nameOf));
  return findings.filter((finding) => !names.has(nameOf(finding)));
}
