import { Memo } from '../../../lib/memo.js';
import type { SmtpReply, Stage } from '../../types.js';
import type { Classification, DecisionTable } from './decision-table.js';
import { commonText, replyWords } from './reply-words.js';

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
  /** The refusal speaks of something else than the mailbox, so that no other answer of the host makes it mean that there is none. */
  speaksOfMore(reply: SmtpReply, recipient: string): boolean;
}

/** Servers have few texts: a million refusals differ in the address only. */
const MAX_REMEMBERED = 4096;

/** Decides what replies mean, by the table. Never throws. An engine keeps one, because it remembers texts. */
export function createClassifier(table: DecisionTable): Classifier {
  const memo = new Memo<string, Classification>(MAX_REMEMBERED);

  function classify({ stage, reply, recipient = '', sender = '', provider = null }: ReplyToClassify): Classification {
    const { code, enhanced } = reply;
    if (code < 400) return table.withoutRefusal(stage, code);
    const text = commonText(reply.text, recipient, sender);
    const key = `${stage} ${code} ${enhanced} ${provider} ${text}`;
    return memo.get(key) ?? memo.set(key, table.decide(stage, code, enhanced, provider, replyWords(text)));
  }

  return {
    classify,
    speaksOfMore: ({ text }, recipient) => table.speaksOfSomethingElse(replyWords(commonText(text, recipient, ''))),
  };
}
