import { type ListResult, targetResult } from '../../blacklists/check-reply.js';
import type { AskedTarget } from '../../blacklists/list-questions.service.js';
import type { Severity } from '../../engine/blacklists/blacklist-row.js';
import type { FindingSeverity } from '../../engine/domain/finding.js';
import { listingSubject } from '../hysteresis/look.js';
import type { ListFact, SeenFinding } from '../model/monitor-run.js';

/** How much a listing harms, in the words of findings. */
const SEVERITY: Readonly<Record<Severity, FindingSeverity>> = {
  critical: 'critical',
  high: 'critical',
  medium: 'warning',
  low: 'warning',
  info: 'info',
};

export interface Listings {
  readonly facts: readonly ListFact[];
  readonly findings: readonly SeenFinding[];
  /** Lists that may not be asked. */
  readonly closed: ReadonlySet<string>;
  /** Whether every list that matters has answered. */
  readonly isAnswered: boolean;
  /** Whether any list has. */
  readonly hasLearned: boolean;
}

/** What lists said of targets, as facts and findings. */
export function readListings(asked: readonly AskedTarget[]): Listings {
  const results = asked.map(targetResult);
  const lists = results.flatMap(({ target, lists: all }) => all.map((one) => ({ target, one })));
  // A list that may not be asked is no fact about the target.
  const facts = lists.filter(({ one }) => one.status !== 'not_asked' || one.why === 'budget');
  return {
    facts: facts.map(({ target, one }) => ({ list: one.list, target, status: one.status, why: one.why })),
    findings: lists.flatMap(({ target, one }) => (one.status === 'listed' ? [listing(target, one)] : [])),
    closed: new Set(
      lists.flatMap(({ one }) => (['needs_key', 'turned_off'].includes(one.why ?? '') ? [one.list] : [])),
    ),
    isAnswered: results.every(({ status }) => status !== 'unknown'),
    hasLearned: lists.some(({ one }) => ['listed', 'not_listed', 'unknown_code'].includes(one.status)),
  };
}

/** With what was asked, when and of whom, the raw answer, and when the list has proven itself last. */
function listing(target: string, result: ListResult): SeenFinding {
  const { list, meaning, severity, codes, reason, asked_at, list_tested_at } = result;
  const { explanation, action, advice, lookup_url, delist_url } = result;
  return {
    code: 'blacklist_listed',
    area: 'blacklists',
    severity: SEVERITY[severity!],
    subject: listingSubject(list, target),
    explanation: `${target} is on the block list ${list}. ${explanation}`,
    evidence: {
      list,
      target,
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
