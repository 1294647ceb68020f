import { isIP } from 'node:net';
import { parse } from 'tldts';

/** The tail of a longer text adds nothing, and patterns stay cheap. */
const TEXT_LIMIT = 1000;

// Each starts at a word's start only: tried at every letter, a long word would cost its square.
const ADDRESS = /(?<![^\s<>()[\]{}"',;:])[^\s<>()[\]{}"',;:]+@[\p{L}\p{N}.-]+/gu;
const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const HOST = new RegExp(`(?<![a-z0-9-])(https?://)?(${LABEL}(?:\\.${LABEL})+)(?::\\d+)?([/?][^\\s<>"]*)?`, 'g');
const IP_ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}|(?<![\w:])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\w:])/g;
const STATUS_CODE = /(?<![\w.])[245]\.\d{1,3}\.\d{1,3}(?![\w.])/g;
const MARKS = /\p{M}/gu;
const APOSTROPHES = /['’`´]/g;
const SEPARATORS = /[^\p{L}\p{N}_]+/gu;

/** The words in upper case that stand for what differs between clients; phrases name them so. */
const SENDER = 'SENDER';
const IP = ' IP ';
const LOOKUP = ' LOOKUP ';

const DASH = 45;
const DOT = 46;

/** Words that a not-found text is made of: a local part that is one of them is left in a text. */
const COMMON_WORDS = new Set(
  (
    'a account address adresse an and at by contact does doesnt domain email exist exists for found here home host in info ' +
    'invalid is it list local mail mailbox member name no not of on or our person postmaster recipient server sorry such ' +
    'system table test that the there this to unknown user users utente usuario valid was with'
  ).split(' '),
);

// Session ids and times, which differ in every reply.
const IDENTIFIER = /(?<![\w-])(?:\d{4}-\d\d-\d\d[t ][\d:.]+z?|[\w-]{12,}(?:\.\d+)*)/g;
const DIGIT = /\d/;
const SEVERAL_DIGITS = /\d.*\d/;

/**
 * The part of a reply's text that is the same for all recipients: in lower case, without the recipient and without identifiers, and with
 * `SENDER` for our sender address and the hosts of its domain. The meaning of the reply depends on this text alone, so it can be
 * remembered by it. Servers cannot forge the words in upper case.
 */
export function commonText(text: string, recipient: string, sender: string): string {
  let rest = text.slice(0, TEXT_LIMIT).toLowerCase();
  if (recipient !== '') {
    const address = recipient.toLowerCase();
    const at = address.lastIndexOf('@');
    if (rest.includes(address)) rest = rest.replaceAll(address, '');
    rest = withoutHost(withoutLocalPart(rest, address.slice(0, at)), address.slice(at + 1));
  }
  if (sender !== '') {
    const address = sender.toLowerCase();
    rest = withoutHost(rest.replaceAll(address, SENDER), address.slice(address.lastIndexOf('@') + 1), SENDER);
  }
  if (!DIGIT.test(rest)) return rest;
  return rest.replace(IDENTIFIER, (found) => (SEVERAL_DIGITS.test(found) ? '' : found));
}

// Written as in a URL or in quoted-printable too; each starts at a word's start only, as above.
const WRITTEN_ADDRESS = /(?<![^\s<>()[\]{}"',;:/?&=])[^\s<>()[\]{}"',;:/?&]+(?:@|%40|=40)[\p{L}\p{N}.-]+/giu;

/** The text without any address, and without the local part of the recipient; `…` stands where there was an address. */
export function withoutAddresses(text: string, recipient: string | null): string {
  const rest = text.replace(WRITTEN_ADDRESS, '…');
  const base = recipient?.slice(0, recipient.lastIndexOf('@')).split('+', 1)[0]!.toLowerCase() ?? '';
  if (base === '' || COMMON_WORDS.has(base)) return rest;
  const lower = rest.toLowerCase();
  if (wordAt(lower, base, 0) === -1) return rest;
  // Some letters have more than one small one: then the positions would differ, and the small letters are shown.
  let left = lower.length === rest.length ? rest : lower;
  for (let at = wordAt(left.toLowerCase(), base, 0); at !== -1; at = wordAt(left.toLowerCase(), base, at))
    left = left.slice(0, at) + left.slice(at + base.length);
  return left;
}

/**
 * The text as the words that phrases are looked for in: without addresses, status codes, URL paths, accents and punctuation, with `IP` for
 * an IP address, `LOOKUP` after a host whose URL asks about one, and a space on either side of each word.
 */
export function replyWords(text: string): string {
  const rest = text
    .replaceAll('_', ' ')
    .replace(ADDRESS, ' ')
    .replace(HOST, (found: string, scheme: string | undefined, host: string, path = '') => {
      const asks = path.match(IP_ADDRESS)?.some((each: string) => isIP(each) !== 0) === true ? LOOKUP : ' ';
      // `exist.please` is two words whose space is missing, not a host.
      if (parse(host).isIcann === true) return `${host.replaceAll(/[.-]/g, '_')}${asks}`;
      return scheme === undefined ? found : ` ${host}${asks}`;
    })
    // A time of day looks like an address, too.
    .replace(IP_ADDRESS, (found) => (isIP(found) === 0 ? ' ' : IP))
    .replace(STATUS_CODE, ' ');
  return ` ${plainLetters(rest).replace(APOSTROPHES, '').replace(SEPARATORS, ' ').trim()} `;
}

/** Without accents, and with two letters for one that is made of them. */
export function plainLetters(text: string): string {
  return text.normalize('NFD').replace(MARKS, '').replaceAll('ł', 'l').replaceAll('ı', 'i').replaceAll('ß', 'ss');
}

/** A local part is repeated with its tag or without. */
function withoutLocalPart(text: string, localPart: string): string {
  const plus = localPart.indexOf('+');
  const rest = plus > 0 ? withoutWord(text, localPart) : text;
  const base = plus > 0 ? localPart.slice(0, plus) : localPart;
  return COMMON_WORDS.has(base) ? rest : withoutWord(rest, base);
}

function withoutWord(text: string, word: string): string {
  let rest = text;
  for (let at = wordAt(rest, word, 0); at !== -1; at = wordAt(rest, word, at)) {
    rest = rest.slice(0, at) + rest.slice(at + word.length);
  }
  return rest;
}

/** The index of the word as a whole word, at or after `from`; -1 if there is none. */
function wordAt(text: string, word: string, from: number): number {
  if (word === '') return -1;
  for (let at = text.indexOf(word, from); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!isLetter(text.charCodeAt(at - 1)) && !isLetter(text.charCodeAt(at + word.length))) return at;
  }
  return -1;
}

/** A domain and the hosts in it (`mx1.quota.example.com` for `example.com`) make room for another word; addresses are left whole. */
function withoutHost(text: string, domain: string, word = ''): string {
  if (domain === '') return text;
  let rest = text;
  for (let at = rest.indexOf(domain); at !== -1; at = rest.indexOf(domain, at)) {
    const end = at + domain.length;
    let start = at;
    while (isHostCharacter(rest.charCodeAt(start - 1))) start -= 1;
    const whole = start === at || rest.charCodeAt(at - 1) === DOT;
    if (whole && rest[start - 1] !== '@' && !isLetter(rest.charCodeAt(end))) {
      rest = rest.slice(0, start) + word + rest.slice(end);
      at = start + word.length;
    } else at = end;
  }
  return rest;
}

function isHostCharacter(code: number): boolean {
  return isLetter(code) || code === DOT || code === DASH;
}

/** A letter or digit; NaN (no character there) is none. */
function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
}
