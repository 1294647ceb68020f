import type { ReplyClass, SmtpReply } from '../../types.js';

/** A reply of 400 and above, to a greeting, a sender or a recipient. */
export interface Refusal {
  /** The row of the mail operator, or the first mail host of one without a row. */
  readonly operator: string;
  readonly source: string;
  readonly about: ReplyClass;
  /** As the mail host wrote it: it may hold anything, the recipient too. */
  readonly reply: SmtpReply;
  /** Null: the reply was to no recipient. */
  readonly recipient: string | null;
}

/** Hears what mail operators answer, for those who count it. Must not throw. */
export interface SmtpListener {
  /** A session is past its greeting, or was refused by it. `operator` is its row, `default` where it has none. */
  opened(operator: string, source: string): void;
  refused(refusal: Refusal): void;
}

export const NOBODY_LISTENS: SmtpListener = { opened: () => undefined, refused: () => undefined };
