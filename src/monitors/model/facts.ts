import { createHash } from 'node:crypto';
import type { Silence } from '../../engine/domain/facts.js';
import { nameServersOf } from '../../engine/domain/gather-facts.js';
import { isSilent } from '../../engine/domain/silence.js';
import type { FoundRecord } from '../../domains/domain-result.js';
import type { ListFact, MonitorFacts, SeenFinding } from './monitor-run.js';

/** What a list must have said for its word to count. */
const COUNTS: readonly string[] = ['listed', 'not_listed', 'not_asked'];

/**
 * The facts of a run in an order of their own, because the order of an answer is no change. What nobody answered for is taken from the run
 * before: silence is no change either.
 */
export function settledFacts(
  now: MonitorFacts,
  before: MonitorFacts | null,
  unanswered: readonly Silence[],
): MonitorFacts {
  const isUnheard = ({ area, name, type }: FoundRecord) => {
    const plain = name.replace(/\.$/, '');
    return isSilent(unanswered, area, type === 'NS' ? nameServersOf(plain) : plain);
  };
  const kept = before?.records.filter(isUnheard) ?? [];
  const lists = now.blacklists.map((fact) => {
    if (COUNTS.includes(fact.status)) return { fact, isHeard: true };
    const last = before?.blacklists.find(({ list, target }) => list === fact.list && target === fact.target);
    return { fact: last ?? fact, isHeard: false };
  });
  const unheard = lists.filter(({ isHeard }) => !isHeard).map(({ fact }) => `${fact.list} ${fact.target}`);
  return {
    records: sorted([...now.records.filter((record) => !isUnheard(record)), ...kept]),
    spf_lookups: now.spf_lookups,
    dnssec: now.dnssec === 'unknown' ? (before?.dnssec ?? now.dnssec) : now.dnssec,
    blacklists: sorted(lists.map(({ fact }) => fact)),
    unanswered: [...now.unanswered, ...unheard].toSorted(),
  };
}

/** The same for facts and findings that say the same. */
export function factsHash({ records, dnssec, blacklists }: MonitorFacts, findings: readonly SeenFinding[]): string {
  const listed = blacklists.filter(isListed).map(({ list, target }) => [list, target]);
  const wrong = findings.map(({ code, subject, severity }) => [code, subject, severity].join(' ')).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([records, dnssec, listed, wrong]))
    .digest('hex')
    .slice(0, 32);
}

export function isListed({ status }: ListFact): boolean {
  return status === 'listed';
}

function sorted<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, text: JSON.stringify(item) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ item }) => item);
}
