import { matters, worstOf } from '../../mail-dns/list-answer.js';
import type { CoverageReply, ListResultReply, TargetResultReply } from './blacklists.reply.js';
import type { TargetAnswers, ListAnswer } from './list-questions.service.js';

const NOTHING = {
  asked_name: null,
  meaning: null,
  severity: null,
  codes: [],
  reason: null,
  confirmed: false,
  suspect: false,
  asked_at: null,
  answered_in_ms: null,
  from_cache: false,
  explanation: null,
  action: null,
  advice: null,
  lookup_url: null,
  delist_url: null,
} as const;

const SUSPECT = 'This list listed many watched targets at once, so it may be wrong.';

export function targetResult({ target, answers }: TargetAnswers): TargetResultReply {
  // A list that the caller left out is not worth a row.
  const shown = answers.filter((answer) => answer.asked || answer.why !== 'not_wanted');
  const lists = shown.map((answer) => listResult(answer));
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
    coverage: coverageOf(answers),
    counts,
    lists,
  };
}

/** Whether at least one list has said something about the target that costs: not from memory. */
export function outcomeOf({ answers }: TargetAnswers): 'answered' | 'known' | 'unanswered' {
  const said = answers.filter((answer) => answer.asked && SAID.includes(answer.finding.status));
  if (said.some((answer) => answer.asked && !answer.isFromCache)) return 'answered';
  return said.length > 0 ? 'known' : 'unanswered';
}

/** What a list says of a target, whatever it is. */
const SAID: readonly string[] = ['listed', 'not_listed', 'unknown_code'];

function coverageOf(answers: readonly ListAnswer[]): CoverageReply {
  const able = answers.filter((answer) => answer.asked || answer.why !== 'unsupported_kind');
  const hasAnswered = (answer: ListAnswer) => answer.asked && SAID.includes(answer.finding.status);
  const missing = able
    .filter((answer) => matters(answer.list.severity) && !hasAnswered(answer))
    .map(({ list }) => list.id);
  return { lists: able.length, answered: able.filter(hasAnswered).length, partial: missing.length > 0, missing };
}

/** Clean is what every important list that may be asked has called so, not what nobody has heard of. */
function statusOf(
  answers: readonly ListAnswer[],
  { listed, not_listed }: TargetResultReply['counts'],
): TargetResultReply['status'] {
  if (listed > 0) return 'listed';
  const isMissing = answers.some(
    (answer) =>
      matters(answer.list.severity) &&
      (answer.asked ? answer.finding.status !== 'not_listed' : answer.why === 'budget'),
  );
  return not_listed > 0 && !isMissing ? 'clean' : 'unknown';
}

function listResult(answer: ListAnswer): ListResultReply {
  const { list, health } = answer;
  const list_tested_at = health?.testedAt.toISOString() ?? null;
  if (!answer.asked) return { ...NOTHING, list: list.id, status: 'not_asked', why: answer.why, list_tested_at };
  const { finding } = answer;
  const asked = {
    ...NOTHING,
    list: list.id,
    asked_name: answer.askedName,
    status: finding.status,
    why: 'why' in finding ? finding.why : finding.status === 'unconfirmed' ? finding.proof.why : null,
    codes: 'codes' in finding ? finding.codes : [],
    asked_at: answer.askedAt.toISOString(),
    answered_in_ms: answer.answeredInMs,
    from_cache: answer.isFromCache,
    list_tested_at,
    lookup_url: list.lookupUrl.replace('{target}', encodeURIComponent(answer.askedName)),
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
    suspect: answer.isSuspect,
    explanation: [...finding.found.map(({ explanation }) => explanation), ...(answer.isSuspect ? [SUSPECT] : [])].join(
      ' ',
    ),
    action: list.action,
    advice: list.advice,
    delist_url: list.delistUrl,
  };
}
