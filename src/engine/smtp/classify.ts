import type { ReplyClass, SmtpReply, Stage } from '../types.js';

/** How much a class deserves to be believed: a product's own words, a general phrase, or a bare code. */
export type Weight = 'strong' | 'medium' | 'weak';

export interface Classification {
  readonly class: ReplyClass;
  /** The id of the row of `decision-table.ts` that decided. */
  readonly row: string;
  readonly weight: Weight;
}

export interface ReplyToClassify {
  readonly stage: Stage;
  readonly reply: SmtpReply;
  /** What the commands named: servers repeat it, and it must not trigger a row (`spam@…`, `blocked.user@…`). */
  readonly recipient?: string;
  readonly sender?: string;
  /** The operator row's name, such as `microsoft-365`: some texts mean something at one operator only. */
  readonly provider?: string | null;
}

export interface Classifier {
  classify(input: ReplyToClassify): Classification;
}

const ACCEPTED: Classification = { class: 'accepted', row: 'accepted', weight: 'strong' };
const AMBIGUOUS: Classification = { class: 'ambiguous', row: 'other-permanent', weight: 'weak' };

export function createClassifier(): Classifier {
  return { classify: ({ reply }) => (reply.code < 300 ? ACCEPTED : AMBIGUOUS) };
}
