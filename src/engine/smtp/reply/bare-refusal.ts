import type { SmtpReply } from '../../types.js';
import { commonText, replyWords } from './reply-words.js';

/** Nouns that name the recipient. */
const RECIPIENT = new Set('account address mailbox recipient user'.split(' '));

/** Words of a refusal that add nothing to it: no policy, no sender, no client, no connection, no time. */
const BARE = new Set(
  (
    'a an and are be been error failed for has have here in invalid is it local mail no not of ok on or permanently please refused ' +
    'rejected reject rejecting refuse sorry that the this to unacceptable unavailable undeliverable valid was accept accepted ' +
    'delivery email'
  ).split(' '),
);

/** Subjects of enhanced codes that speak of the address or the mailbox, or of nothing (RFC 3463 sections 3.1 to 3.3). */
const OF_RECIPIENT = /^5\.[012]\./;

/** The refusal names the recipient, by a noun or by its address, and says nothing else: neither why, nor about whom else. */
export function refusesRecipientOnly({ text, enhanced }: SmtpReply, recipient: string): boolean {
  if (enhanced !== null && !OF_RECIPIENT.test(enhanced)) return false;
  const words = replyWords(commonText(text, recipient, ''))
    .split(' ')
    .filter((word) => word !== '');
  const isNamed = words.some((word) => RECIPIENT.has(word)) || text.toLowerCase().includes(recipient.toLowerCase());
  return isNamed && words.every((word) => RECIPIENT.has(word) || BARE.has(word));
}

/** Two texts that are alike so far are the same. */
const MAX_WORDING_LENGTH = 120;

/** A refusal's first words, without the parts that differ between recipients, sessions and times. */
export function refusalWords(text: string, recipient: string): string {
  const words = replyWords(commonText(text, recipient, ''))
    .replaceAll(/\S*\d\S*/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
  // A copy: a part of a text keeps the whole text in memory, and these are remembered.
  return Buffer.from(words.slice(0, MAX_WORDING_LENGTH)).toString();
}
