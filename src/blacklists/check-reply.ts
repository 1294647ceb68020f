import { SEVERITIES, type Severity } from '../engine/blacklists/blacklist-row.js';
import { worstOf } from '../engine/blacklists/list-answer.js';
import type { AskedTarget, ListAnswer } from './list-questions.service.js';

/** What one list says of one target, as it is answered and kept. */
export interface ListResult {
  readonly list: string;
  readonly status: string;
  readonly why: string | null;
  readonly meaning: string | null;
  readonly severity: Severity | null;
  readonly codes: readonly string[];
  readonly reason: string | null;
  readonly confirmed: boolean;
  readonly asked_at: string | null;
  readonly answered_in_ms: number | null;
  readonly from_cache: boolean;
  readonly list_tested_at: string | null;
  readonly explanation: string | null;
  readonly action: string | null;
  readonly advice: string | null;
  readonly lookup_url: string | null;
  readonly delist_url: string | null;
}

export interface TargetResult {
  readonly target: string;
  readonly kind: string;
  readonly role: string;
  readonly status: 'listed' | 'clean' | 'unknown';
  readonly worst: Severity | null;
  readonly counts: Readonly<Record<'asked' | 'listed' | 'not_listed' | 'no_answer' | 'not_asked', number>>;
  readonly lists: readonly ListResult[];
}

const NOTHING = {
  meaning: null,
  severity: null,
  codes: [],
  reason: null,
  confirmed: false,
  asked_at: null,
  answered_in_ms: null,
  from_cache: false,
  explanation: null,
  action: null,
  advice: null,
  lookup_url: null,
  delist_url: null,
} as const;

/** Lists of this severity and above must have answered before a target is clean. */
const IMPORTANT: Severity = 'high';

export function targetResult({ target, answers }: AskedTarget): TargetResult {
  // A list that the caller left out is not worth a row.
  const shown = answers.filter((answer) => answer.asked || answer.why !== 'not_wanted');
  const lists = shown.map((answer) => listResult(answer, target.value));
  const count = (isOne: (status: string) => boolean) => lists.filter(({ status }) => isOne(status)).length;
  const counts = {
    asked: count((status) => status !== 'not_asked'),
    listed: count((status) => status === 'listed'),
    not_listed: count((status) => status === 'not_listed'),
    no_answer: count((status) => !['listed', 'not_listed', 'not_asked'].includes(status)),
    not_asked: count((status) => status === 'not_asked'),
  };
  const worst = worstOf(lists.flatMap(({ severity }) => severity ?? []));
  return {
    target: target.value,
    kind: target.kind,
    role: 'given',
    status: statusOf(shown, counts),
    worst,
    counts,
    lists,
  };
}

/** Whether at least one list has said something about the target that costs: not from memory. */
export function outcomeOf({ answers }: AskedTarget): 'answered' | 'known' | 'unanswered' {
  const said = answers.filter(
    (answer) => answer.asked && ['listed', 'not_listed', 'unknown_code'].includes(answer.finding.status),
  );
  if (said.some((answer) => answer.asked && !answer.isFromCache)) return 'answered';
  return said.length > 0 ? 'known' : 'unanswered';
}

/** Clean is what every important list that may be asked has called so, not what nobody has heard of. */
function statusOf(
  answers: readonly ListAnswer[],
  { listed, not_listed }: TargetResult['counts'],
): TargetResult['status'] {
  if (listed > 0) return 'listed';
  const isMissing = answers.some(
    (answer) =>
      SEVERITIES.indexOf(answer.list.severity) >= SEVERITIES.indexOf(IMPORTANT) &&
      (answer.asked ? answer.finding.status !== 'not_listed' : answer.why === 'budget'),
  );
  return not_listed > 0 && !isMissing ? 'clean' : 'unknown';
}

function listResult(answer: ListAnswer, target: string): ListResult {
  const { list, health } = answer;
  const list_tested_at = health?.testedAt.toISOString() ?? null;
  if (!answer.asked) return { ...NOTHING, list: list.id, status: 'not_asked', why: answer.why, list_tested_at };
  const { finding } = answer;
  const asked = {
    ...NOTHING,
    list: list.id,
    status: finding.status,
    why: 'why' in finding ? finding.why : finding.status === 'unconfirmed' ? finding.proof.why : null,
    codes: 'codes' in finding ? finding.codes : [],
    asked_at: answer.askedAt.toISOString(),
    answered_in_ms: answer.answeredInMs,
    from_cache: answer.isFromCache,
    list_tested_at,
    lookup_url: list.lookupUrl.replace('{target}', encodeURIComponent(target)),
  };
  if (finding.status !== 'listed') return asked;
  const severity = worstOf(finding.found.map((one) => one.severity));
  const worst = finding.found.find((one) => one.severity === severity)!;
  return {
    ...asked,
    meaning: worst.meaning,
    severity,
    reason: finding.reason,
    confirmed: true,
    explanation: finding.found.map(({ explanation }) => explanation).join(' '),
    action: list.action,
    advice: list.advice,
    delist_url: list.delistUrl,
  };
}
