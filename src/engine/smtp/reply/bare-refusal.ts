import type { SmtpReply } from '../../types.js';
import { phrasePattern } from './foreign-phrases.js';
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

/** What a refusal may speak of instead of the mailbox; by the words of RFC 3463 sections 3.4 to 3.8, and of servers that keep strangers out. */
const OF_MORE = phrasePattern([
  // A policy, or whoever administers one.
  '(polic*|*policy|politi*|polityk*|richtlinie*|rule|rules|ruleset|filter*|regla*|regle*|restrict*|prohibit*|forbid*|acl|administrative*)',
  // The sender.
  '(sender*|from|return path|spf|dkim|dmarc|absender*|*expediteur*|remitente*|mittente*|remetente*|nadawc*|afzender*|avsandar*|gonder*|отправител*|*送信*|*发件人*)',
  // The client: its address, its name, its standing, its being addressed.
  '(IP|LOOKUP|ip|client*|sending|spoof*|mta|mtas|mail server|helo|ehlo|ptr|rdns|reverse|dns|hostname*|nameserver*|mx|relaying|relay (access|denied|not)|not a gateway)',
  '(reputation|blacklist*|black list*|block list*|blocklist*|dnsbl*|rbl|banned|dynamic|dialup|proxy|stranger*|unknown source)',
  '(you|youre|youve) (are not|were|may not|must|need to|do not|dont|cannot|should not)',
  'your (mail server|mailserver|server|host|domain|network|isp|provider|message|messages|mail|organization|system)',
  '(we|will|wont) (do not|dont|wont|will not|cannot|not) (accept|want|know|like) .. (you|mail|messages|email)',
  '(ihr|seu|su|uw|votre|vostro) (mailserver|server|servidor|serveur)',
  // The connection, and how much comes through it.
  '(connect*|session*|pipelin*|too (many|much|fast)|rate|rates|limit*|throttl*|frequen*|concurren*)',
  // A country.
  '(country|countries|geo*|region*|land|pays|pais|paese|foreign*)',
  // Security.
  '(secur*|*authenti*|authoriz*|authoris*|permission*|permitted|login|tls|ssl|starttls|encrypt*|certificate*|trust*|suspicious)',
  '(spam*|unsolicited|junk|virus*|malware|phish*|fraud*|abus*|attack*|harvest*|probe*|probing|callback*)',
  // The protocol.
  '(protocol*|syntax*|parameter*|argument*|sequence|rfc*|esmtp|smtputf8|bare lf)',
  // A quota or a size.
  '(quota*|full|storage|space|size|exceed*|large)',
  // The server's own fault, or the moment.
  '(fault|configuration|lookup (failure|failed|error)|unreachable|no route|deferred|loop|loops|load|busy|later|temporar*)',
  '(server|system|internal) error',
  '(time out|timeout|timed out|system call)',
  // The format of a message.
  '(format*|mime|header*|content*|attachment*|character*|encod*|line|lines|message (not|content|size|too|file)|this message (is|was|has|contains)|(invalid|bad) data|body|subject)',
]);

/** The refusal speaks of something else than the mailbox, so that no other answer of the host makes it mean that there is none. */
export function speaksOfMore({ text }: SmtpReply, recipient: string): boolean {
  return OF_MORE.test(replyWords(commonText(text, recipient, '')));
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
