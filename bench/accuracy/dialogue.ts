import { wireText, type CorpusRecord } from '../../test/corpus/smtp-corpus.js';

/** The address from which every question of the replay comes. */
export const CLIENT_ADDRESS = '127.0.0.1';

/** What the labelled replies write in place of the recipient, of its domain and of the client. */
const RECIPIENT = /(?<![\w.+-])(?:jane|example|email)@[\w.-]*\w/gi;
const DOMAIN = /\bexample\.com\b/g;
const LOCAL_PART = /(?<=["\s(])jane(?=["\s),])/g;
const CLIENT = /(?<!\bhost \S*)(?:x\.xx\.xx\.xx|0\.0\.0\.0|192\.0\.2\.1)(?!\d)/g;

/** A labelled reply as a server gives it in a dialogue about this recipient: with its names in place of the placeholders. */
export function spokenReply(record: CorpusRecord, localPart: string, domain: string): string {
  const text = wireText(record)
    .replace(RECIPIENT, `${localPart}@${domain}`)
    .replace(DOMAIN, domain)
    .replace(LOCAL_PART, localPart)
    .replace(CLIENT, CLIENT_ADDRESS);
  return asReply(text);
}

/** Several lines as RFC 5321 section 4.2.1 wants them: a hyphen behind the code of all but the last. */
function asReply(text: string): string {
  const code = text.slice(0, 3);
  const lines = text.split(/\r?\n/).map((line) => (line.startsWith(code) ? line.slice(4) : line));
  return lines.map((line, at) => `${code}${at === lines.length - 1 ? ' ' : '-'}${line}`).join('\r\n');
}
