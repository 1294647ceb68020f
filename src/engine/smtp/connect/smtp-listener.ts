import type { ReplyClass } from '../../types.js';

/** Hears what mail operators answer, for those who count it. `operator` is its row, `default` where it has none. Must not throw. */
export interface SmtpListener {
  /** A session is past its greeting, or was refused by it. */
  opened(operator: string, source: string): void;
  /** A reply of 400 and above, to a greeting, a sender or a recipient. */
  refused(operator: string, source: string, about: ReplyClass): void;
}

export const NOBODY_LISTENS: SmtpListener = { opened: () => undefined, refused: () => undefined };
