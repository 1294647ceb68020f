import { ReplyReader } from '../../src/engine/smtp/reply/reply.js';
import type { SmtpReply } from '../../src/engine/types.js';

/** The reply that a server's text is, such as `550 5.1.1 User unknown`; several lines as they come over the wire. */
export function replyOf(text: string): SmtpReply {
  const lines = text.split(/\r?\n/);
  const last = lines.pop()!;
  const wire = [...lines, last.replace(/^(\d{3})-/, '$1 ')].join('\r\n');
  const [item] = new ReplyReader().push(Buffer.from(`${wire}\r\n`));
  if (item === undefined || 'problem' in item) throw new Error(`not a reply: ${text}`);
  return item;
}
