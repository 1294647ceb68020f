import { Memo } from '../../../lib/memo.js';
import type { ReplyClass, SmtpReply, Stage } from '../../types.js';
import { DECISION_TABLE, type DecisionRow, type Weight } from './decision-table.js';
import { phrasePattern } from './foreign-phrases.js';
import { commonText, replyWords } from './reply-words.js';

export interface Classification {
  readonly class: ReplyClass;
  /** The id of the row of `decision-table.ts` that decided. */
  readonly row: string;
  readonly weight: Weight;
}

export interface ReplyToClassify {
  readonly stage: Stage;
  readonly reply: SmtpReply;
  /** The addresses that the commands named: servers repeat them, and they must not trigger a row (`spam@…`, `blocked.user@…`). */
  readonly recipient?: string;
  readonly sender?: string;
  /** The operator row's name, such as `microsoft-365`: some texts mean something at one operator only. */
  readonly provider?: string | null;
}

export interface Classifier {
  classify(input: ReplyToClassify): Classification;
}

/** A row of the table, prepared: one test each for codes and phrases. */
interface Rule {
  readonly answer: Classification;
  readonly row: DecisionRow;
  readonly phrases: RegExp | null;
  readonly not: RegExp | null;
  readonly enhanced: readonly EnhancedRange[];
}

interface EnhancedRange {
  readonly classes: string;
  readonly subject: string;
  readonly from: number;
  readonly to: number;
}

/** Servers have few texts: a million refusals differ in the address only. */
const MAX_REMEMBERED = 4096;
/** Made at the first refusal: a process that starts to ask about an address has no need of it yet. */
let rules: readonly Rule[] | null = null;
const ACCEPTED = answerOf(rowNamed('accepted'));
const UNVERIFIED = answerOf(rowNamed('accepted-unverified'));
/** A reply that refuses nothing and accepts no recipient: nothing can be concluded from it. */
const NO_REFUSAL: Classification = { class: 'ambiguous', row: 'no-refusal', weight: 'weak' };

/** Decides what replies mean, by `DECISION_TABLE`. Never throws. An engine keeps one, because it remembers texts. */
export function createClassifier(): Classifier {
  const memo = new Memo<string, Classification>(MAX_REMEMBERED);

  function classify({ stage, reply, recipient = '', sender = '', provider = null }: ReplyToClassify): Classification {
    if (reply.code < 400) return withoutRefusal(stage, reply.code);
    const text = commonText(reply.text, recipient, sender);
    const key = `${stage} ${reply.code} ${reply.enhanced} ${provider} ${text}`;
    return memo.get(key) ?? memo.set(key, decide(stage, reply, provider, replyWords(text)));
  }

  return { classify };
}

function withoutRefusal(stage: Stage, code: number): Classification {
  if (stage !== 'rcpt' || code >= 300) return NO_REFUSAL;
  return code === 252 ? UNVERIFIED : ACCEPTED;
}

function decide(stage: Stage, reply: SmtpReply, provider: string | null, words: string): Classification {
  rules ??= DECISION_TABLE.map(ruleOf);
  const rule = rules.find((candidate) => fits(candidate, stage, reply, provider, words));
  return rule?.answer ?? NO_REFUSAL;
}

function fits(rule: Rule, stage: Stage, reply: SmtpReply, provider: string | null, words: string): boolean {
  const { stages, codes, providers } = rule.row;
  if (stages !== 'any' && !stages.includes(stage)) return false;
  if (!codes.some((code) => code === reply.code || code === `${Math.floor(reply.code / 100)}xx`)) return false;
  if (providers !== undefined && (provider === null || !providers.includes(provider))) return false;
  return says(rule, reply.enhanced, words) && (rule.not === null || !rule.not.test(words));
}

function says({ enhanced, phrases }: Rule, code: string | null, words: string): boolean {
  if (phrases === null && enhanced.length === 0) return true;
  if (code !== null && enhanced.length > 0 && inRanges(enhanced, code)) return true;
  return phrases !== null && phrases.test(words);
}

function inRanges(ranges: readonly EnhancedRange[], code: string): boolean {
  const [kind = '', subject = '', detail = ''] = code.split('.');
  const number = Number(detail);
  return ranges.some((range) => {
    return range.classes.includes(kind) && range.subject === subject && number >= range.from && number <= range.to;
  });
}

function ruleOf(row: DecisionRow): Rule {
  return {
    row,
    answer: answerOf(row),
    phrases: row.phrases === undefined ? null : phrasePattern(row.phrases),
    not: row.not === undefined ? null : phrasePattern(row.not),
    enhanced: (row.enhanced ?? []).map(rangeOf),
  };
}

function answerOf({ class: meaning, id, weight }: DecisionRow): Classification {
  return Object.freeze({ class: meaning, row: id, weight });
}

function rowNamed(id: string): DecisionRow {
  return DECISION_TABLE.find((row) => row.id === id)!;
}

/** `x.7.26`, `5.7.606-649` */
function rangeOf(pattern: string): EnhancedRange {
  const [kind = '', subject = '', details = ''] = pattern.split('.');
  const [from, to = from] = details.split('-').map(Number);
  return { classes: kind === 'x' ? '45' : kind, subject, from: from!, to: to! };
}
