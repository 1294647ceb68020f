import type { FoundRecord } from '../../domains/domain-result.js';
import { nameOf } from '../hysteresis/look.js';
import type { ListFact, RunResult, RunWithResult, SeenFinding } from '../model/monitor-run.js';
import type { MonitorDiffReply } from './monitor-runs.reply.js';

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

function recordDiff(before: readonly FoundRecord[], after: readonly FoundRecord[]) {
  const [old, now] = [byPlace(before), byPlace(after)];
  const added: FoundRecord[] = [];
  const removed: FoundRecord[] = [];
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

function byPlace(records: readonly FoundRecord[]): ReadonlyMap<string, readonly FoundRecord[]> {
  const places = new Map<string, FoundRecord[]>();
  for (const record of records) {
    const place = `${record.area} ${record.name} ${record.type}`;
    places.set(place, [...(places.get(place) ?? []), record]);
  }
  return places;
}

function valuesOf(records: readonly FoundRecord[]): string[] {
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
