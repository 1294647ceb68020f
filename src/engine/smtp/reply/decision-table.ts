import type { ReplyClass, Stage } from '../../types.js';
import { phrasePattern } from './phrase-pattern.js';

/**
 * One row of the table that decides the meaning of a reply. The first row that fits decides, so the order is part of the meaning.
 * A row fits when stage, code and provider fit, `enhanced` or `phrases` do (a row with neither needs neither), and none of `not` is in the text.
 *
 * Only the answer to RCPT can say something about a mailbox: rows with `stages: "any"` are about us, the connection or
 * the moment, and the judge has a reason for their classes alone before RCPT (`judge/causes.ts`).
 *
 * To add a product's text: put its phrase into the list of `config/smtp-replies/phrases.json` that says the same, and the reply as you
 * saw it under `examples` of the row in `config/smtp-replies/decision-table.json`. Each example must be decided by its row.
 */
export interface DecisionRow {
  readonly id: string;
  readonly class: ReplyClass;
  readonly weight: Weight;
  /** Why such a reply has this meaning. */
  readonly why: string;
  /** Where the reply is documented or was seen. */
  readonly source: string;
  readonly stages: 'any' | readonly Stage[];
  /** Basic codes; `4xx` means all from 400 to 499. */
  readonly codes: readonly (number | '2xx' | '4xx' | '5xx')[];
  /** Enhanced codes; `x` is 4 or 5, `5.7.606-649` a range. */
  readonly enhanced: readonly string[];
  /** Phrases in the language of `phrase-pattern.ts`, without names of lists. */
  readonly phrases: readonly string[];
  readonly not: readonly string[];
  /** Names of rows of `config/mail-providers.json`; without it, everywhere. */
  readonly providers: readonly string[] | null;
  readonly examples: readonly Example[];
}

/** How far a decision may be believed: `strong` for words or codes that mean one thing, `medium` for general words, `weak` for a bare code. */
export type Weight = 'strong' | 'medium' | 'weak';

export interface Example {
  readonly reply: string;
  readonly stage: Stage;
  readonly provider: string | null;
}

/** The row of 4xx replies that a domain's next mail host may answer better. */
export const HOST_FAULT = 'host-fault';

export interface Classification {
  readonly class: ReplyClass;
  /** The name of the row of `config/smtp-replies/decision-table.json` that decided. */
  readonly row: string;
  readonly weight: Weight;
}

/** A row of the table, prepared: one test each for codes and phrases. */
interface Rule {
  readonly answer: Classification;
  readonly row: DecisionRow;
  readonly phrases: Pattern;
  readonly not: Pattern;
  readonly enhanced: readonly EnhancedRange[];
}

/** Phrases as a pattern; null: none. */
type Pattern = () => RegExp | null;

interface EnhancedRange {
  readonly classes: string;
  readonly subject: string;
  readonly from: number;
  readonly to: number;
}

/** A reply that refuses nothing and accepts no recipient: nothing can be concluded from it. */
const NO_REFUSAL: Classification = { class: 'ambiguous', row: 'no-refusal', weight: 'weak' };

/** What replies mean, as `config/smtp-replies/` says it; `parseDecisionTable` makes one. All engines of a process share it. */
export class DecisionTable {
  readonly #accepted: Classification;
  readonly #unverified: Classification;
  readonly #rules: readonly Rule[];
  readonly #somethingElse: Pattern;

  /** @param somethingElse phrases about something else than the mailbox */
  constructor(
    readonly rows: readonly DecisionRow[],
    somethingElse: readonly string[],
  ) {
    this.#rules = rows.map(ruleOf);
    this.#somethingElse = patternOf(somethingElse);
    this.#accepted = answerOf(this.#rowNamed('accepted'));
    this.#unverified = answerOf(this.#rowNamed('accepted-unverified'));
  }

  /** Of a code below 400. */
  withoutRefusal(stage: Stage, code: number): Classification {
    if (stage !== 'rcpt' || code >= 300) return NO_REFUSAL;
    return code === 252 ? this.#unverified : this.#accepted;
  }

  /** @param words as `replyWords` makes them of the reply's text */
  decide(stage: Stage, code: number, enhanced: string | null, provider: string | null, words: string): Classification {
    const rule = this.#rules.find(
      (candidate) =>
        isFor(candidate.row, stage, code, provider) &&
        says(candidate, enhanced, words) &&
        candidate.not()?.test(words) !== true,
    );
    return rule?.answer ?? NO_REFUSAL;
  }

  /** The words speak of something else than the mailbox: a policy, the sender, the client, the moment. */
  speaksOfSomethingElse(words: string): boolean {
    return this.#somethingElse()?.test(words) === true;
  }

  #rowNamed(id: string): DecisionRow {
    return this.rows.find((row) => row.id === id)!;
  }
}

function isFor(
  { stages, codes, providers }: DecisionRow,
  stage: Stage,
  code: number,
  provider: string | null,
): boolean {
  if (stages !== 'any' && !stages.includes(stage)) return false;
  if (!codes.some((one) => one === code || one === `${Math.floor(code / 100)}xx`)) return false;
  return providers === null || (provider !== null && providers.includes(provider));
}

function says({ row, enhanced, phrases }: Rule, code: string | null, words: string): boolean {
  if (row.phrases.length === 0 && enhanced.length === 0) return true;
  if (code !== null && enhanced.length > 0 && inRanges(enhanced, code)) return true;
  return phrases()?.test(words) === true;
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
    phrases: patternOf(row.phrases),
    not: patternOf(row.not),
    enhanced: row.enhanced.map(rangeOf),
  };
}

/** Made at its first use: all of them take 0.1 s, which no start needs. */
function patternOf(phrases: readonly string[]): Pattern {
  let pattern: RegExp | null = null;
  return () => (pattern ??= phrases.length === 0 ? null : phrasePattern(phrases));
}

function answerOf({ class: meaning, id, weight }: DecisionRow): Classification {
  return Object.freeze({ class: meaning, row: id, weight });
}

/** `x.7.26`, `5.7.606-649` */
function rangeOf(pattern: string): EnhancedRange {
  const [kind = '', subject = '', details = ''] = pattern.split('.');
  const [from, to = from] = details.split('-').map(Number);
  return { classes: kind === 'x' ? '45' : kind, subject, from: from!, to: to! };
}
