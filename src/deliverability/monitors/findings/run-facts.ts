import { createHash } from 'node:crypto';
import type { Silence } from '../../../engine/domain/facts.js';
import { nameServersOf } from '../../../engine/domain/gather-facts.js';
import { isSilent } from '../../../engine/domain/silence.js';
import type { FoundRecordReply } from '../../domains/finding.reply.js';
import type { ListFact, MonitorFacts, SeenFinding } from './monitor-run.js';
import type { ListResultReply, TargetResultReply } from '../../blacklists/blacklists.reply.js';
import { targetResult } from '../../blacklists/check-reply.js';
import type { TargetAnswers } from '../../blacklists/list-questions.service.js';
import type { Severity } from '../../../mail-dns/blacklist-row.js';
import type { FindingSeverity } from '../../../engine/domain/finding.js';
import { listingSubject } from './observation.js';

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
  const isUnheard = ({ area, name, type }: FoundRecordReply) => {
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

function isListed({ status }: ListFact): boolean {
  return status === 'listed';
}

function sorted<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, text: JSON.stringify(item) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ item }) => item);
}

/** How much a listing harms, in the words of findings. */
const SEVERITY: Readonly<Record<Severity, FindingSeverity>> = {
  critical: 'critical',
  high: 'critical',
  medium: 'warning',
  low: 'warning',
  info: 'info',
};

/** What only receives the domain's mail is harmed less: its own letters are few. */
const LESS: Readonly<Record<FindingSeverity, FindingSeverity>> = { critical: 'warning', warning: 'info', info: 'info' };

interface Listings {
  readonly facts: readonly ListFact[];
  readonly findings: readonly SeenFinding[];
  /** Lists that may not be asked. */
  readonly closed: ReadonlySet<string>;
  /** Whether every list that matters has answered of what sends. */
  readonly isAnswered: boolean;
  /** Whether any list has. */
  readonly hasLearned: boolean;
  /** Whether the answer of any was not believed, which is our own resolver's fault. */
  readonly isUntrusted: boolean;
}

/** What lists said of what sends and of what receives, as facts and findings. */
export function readListings(senders: readonly TargetAnswers[], receivers: readonly TargetAnswers[]): Listings {
  const sending = senders.map(targetResult);
  const listsOf = (results: readonly TargetResultReply[], receives: boolean) =>
    results.flatMap(({ target, lists: all }) => all.map((one) => ({ target, receives, one })));
  const lists = [...listsOf(sending, false), ...listsOf(receivers.map(targetResult), true)];
  // A list that may not be asked is no fact about the target.
  const facts = lists.filter(({ one }) => one.status !== 'not_asked' || one.why === 'budget');
  return {
    facts: facts.map(({ target, one }) => ({ list: one.list, target, status: one.status, why: one.why })),
    findings: lists.flatMap(({ target, receives, one }) =>
      one.status === 'listed' ? [listing(target, receives, one)] : [],
    ),
    closed: new Set(
      lists.flatMap(({ one }) => (['needs_key', 'turned_off'].includes(one.why ?? '') ? [one.list] : [])),
    ),
    isAnswered: sending.every(({ status }) => status !== 'unknown'),
    isUntrusted: lists.some(({ one }) => one.why === 'untrusted'),
    hasLearned: lists.some(({ one }) => ['listed', 'not_listed', 'unknown_code'].includes(one.status)),
  };
}

/** With what was asked, when and of whom, the raw answer, and when the list has proven itself last. */
function listing(target: string, receives: boolean, result: ListResultReply): SeenFinding {
  const { list, meaning, severity, codes, reason, asked_at, list_tested_at } = result;
  const { explanation, action, advice, lookup_url, delist_url } = result;
  return {
    code: 'blacklist_listed',
    area: 'blacklists',
    severity: receives ? LESS[SEVERITY[severity!]] : SEVERITY[severity!],
    subject: listingSubject(list, target),
    explanation: receives
      ? `${target}, a mail host that receives the domain's mail, is on the block list ${list}. ${explanation}`
      : `${target} is on the block list ${list}. ${explanation}`,
    evidence: {
      list,
      target,
      role: receives ? 'receiver' : 'sender',
      meaning,
      list_severity: severity,
      codes,
      reason,
      asked_at,
      list_tested_at,
      action,
      advice,
      lookup_url,
      delist_url,
    },
    fix: null,
    rfc: null,
  };
}
