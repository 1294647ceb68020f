import { readFileSync } from 'node:fs';

import { createClassifier } from '../../src/engine/smtp/reply/classify.js';
import type { Classification } from '../../src/engine/smtp/reply/decision-table.js';
import type { ReplyClass } from '../../src/engine/types.js';
import { replyOf } from '../../src/engine/smtp/reply/reply.js';
import { decisionTable } from '../../src/verify/ports/decision-table-file.js';
import further from './smtp-replies-further.json' with { type: 'json' };
import labelled from './smtp-replies-labelled.json' with { type: 'json' };

export type Truth = (typeof TRUTHS)[number];
const TRUTHS = ['not_about_mailbox', 'not_found', 'full', 'disabled', 'restricted', 'ambiguous'] as const;

export interface CorpusRecord {
  /** The reply's code, where `reply` is what a log made of it. */
  readonly code?: number;
  readonly provider: string;
  readonly reply: string;
  readonly truth: Truth;
  readonly source: string;
}

export interface Judged {
  readonly record: CorpusRecord;
  readonly classification: Classification;
}

/** Classes by which an address becomes invalid. */
export const INVALIDATING: readonly ReplyClass[] = ['not_found', 'disabled'];

/** A reply inside a log line: `host … said: 550 5.1.1 …`, `smtp;553 …`. */
const QUOTED_REPLY = /(?:: |;)([45]\d\d)[ -](.*)$/s;

/** The labelled replies by the name of their file. */
export const REPLY_SETS = {
  'smtp-replies-labelled.json': labelled as readonly CorpusRecord[],
  'smtp-replies-further.json': further as readonly CorpusRecord[],
};

/** A set of one's own. @throws an Error that says what is missing in which of its replies */
export function readReplySet(file: string): readonly CorpusRecord[] {
  const records = JSON.parse(readFileSync(file, 'utf8')) as readonly Partial<CorpusRecord>[];
  if (!Array.isArray(records)) throw new Error(`${file} holds no list of replies`);
  return records.map(({ code, provider = 'any', reply = '', truth, source = file }, at) => {
    const record = { ...(code === undefined ? {} : { code }), provider, reply, truth: truth as Truth, source };
    if (!TRUTHS.includes(record.truth)) throw new Error(`${file}: reply ${at} has no truth of ${TRUTHS.join(', ')}`);
    if (!/^[45]\d\d[ -]/.test(wireText(record))) throw new Error(`${file}: reply ${at} does not begin with its code`);
    return record;
  });
}

/** All replies as if they had been given to RCPT: the hardest reading, for some were given to other commands. */
export function judge(records: readonly CorpusRecord[]): readonly Judged[] {
  const classifier = createClassifier(decisionTable());
  return records.map((record) => {
    const reply = replyOf(wireText(record));
    return { record, classification: classifier.classify({ stage: 'rcpt', reply, provider: operatorOf(record) }) };
  });
}

/** The operator by its name in `config/mail-providers.json`, where it has a row. */
export function operatorOf({ provider }: CorpusRecord): string {
  return provider === 'exchangeonline' ? 'microsoft-365' : provider;
}

/** What the server wrote, with its code; what is a log's about it is left out. */
export function wireText({ code, reply }: CorpusRecord): string {
  if (/^[245]\d\d[ -]/.test(reply)) return reply;
  const quoted = QUOTED_REPLY.exec(reply);
  return quoted === null ? `${code} ${reply}` : `${quoted[1]} ${quoted[2]}`;
}

export function share(judged: readonly Judged[], truth: Truth, right: (reply: ReplyClass) => boolean): number {
  const ofTruth = judged.filter(({ record }) => record.truth === truth);
  return ofTruth.filter(({ classification }) => right(classification.class)).length / ofTruth.length;
}

/** Which classes each truth was given, and each reply whose meaning was missed. */
export function report(judged: readonly Judged[]): string {
  const counts = new Map<string, Map<string, number>>();
  for (const { record, classification } of judged) {
    const row = counts.get(record.truth) ?? new Map<string, number>();
    counts.set(record.truth, row.set(classification.class, (row.get(classification.class) ?? 0) + 1));
  }
  const confusion = [...counts].map(([truth, classes]) => {
    const cells = [...classes].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`);
    return `${truth}: ${cells.join(', ')}`;
  });
  const missed = judged.filter(isMissed).map(({ record, classification }) => {
    return `  ${record.truth} -> ${classification.class} (${classification.row}) ${record.provider}: ${record.reply.replaceAll(/\s+/g, ' ').slice(0, 200)}`;
  });
  return [...confusion, ...missed].join('\n');
}

function isMissed({ record, classification: { class: given } }: Judged): boolean {
  switch (record.truth) {
    case 'not_about_mailbox':
    case 'ambiguous':
      return INVALIDATING.includes(given) || given === 'full';
    case 'not_found':
      return !INVALIDATING.includes(given);
    case 'disabled':
      return given !== 'disabled' && given !== 'disabled_temporarily';
    default:
      return given !== record.truth;
  }
}
