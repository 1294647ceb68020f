import { parse } from 'tldts';

/** Longer texts say nothing more in their tail, and patterns stay cheap. */
const TEXT_LIMIT = 1500;

const ADDRESS = /[^\s<>()[\]{}"',;:]+@[\p{L}\p{N}.-]+/gu;
const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const HOST = new RegExp(`([a-z][a-z0-9+.-]*://)?(${LABEL}(?:\\.${LABEL})+)(?::\\d+)?([/?][^\\s<>"]*)?`, 'g');
const IP_ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}|(?<![\w:])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\w:])/g;
const STATUS_CODE = /(?<![\w.])[245]\.\d{1,3}\.\d{1,3}(?![\w.])/g;
const MARKS = /\p{M}/gu;
const APOSTROPHES = /['’`´]/g;
const SEPARATORS = /[^\p{L}\p{N}_]+/gu;

/** Words that a not-found text is made of: a local part that is one of them is left in a text. */
const COMMON_WORDS = new Set(
  (
    'a account address adresse an and at by contact does doesnt domain email exist exists for found here home host in info ' +
    'invalid is it list local mail mailbox member name no not of on or our person postmaster recipient server sorry such ' +
    'system table test that the there this to unknown user users utente usuario valid was with'
  ).split(' '),
);

/** The two ends of a transaction, in lower case. */
export interface Party {
  readonly localPart: string;
  readonly domain: string;
}

export function partyOf(address: string): Party {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at).toLowerCase();
  const plus = local.indexOf('+');
  return { localPart: plus > 0 ? local.slice(0, plus) : local, domain: address.slice(at + 1).toLowerCase() };
}

/** Does the text name the party in a way that its words would be taken for the server's? */
export function names(text: string, { localPart, domain }: Party): boolean {
  return hasWord(text, localPart) || (domain !== '' && text.includes(domain));
}

/**
 * A reply's text, in lower case, as the words that phrases are looked for in: without the parties' names, addresses, IP
 * addresses, status codes, URL paths, accents and punctuation, with a space on either side of each word.
 */
export function replyWords(text: string, parties: readonly Party[]): string {
  let rest = text.slice(0, TEXT_LIMIT).replaceAll('_', ' ').replace(ADDRESS, ' ');
  rest = rest.replace(HOST, (found: string, scheme: string | undefined, host: string) => {
    if (parties.some(({ domain }) => host === domain || host.endsWith(`.${domain}`))) return ' ';
    // `exist.please` is two words whose space is missing, not a host.
    if (parse(host).isIcann === true) return `${host.replaceAll(/[.-]/g, '_')} `;
    return scheme === undefined ? found : ` ${host} `;
  });
  for (const { localPart } of parties) if (!COMMON_WORDS.has(localPart)) rest = withoutWord(rest, localPart);
  rest = rest.replace(IP_ADDRESS, ' ').replace(STATUS_CODE, ' ');
  const plain = rest.normalize('NFD').replace(MARKS, '').replaceAll('ł', 'l').replaceAll('ß', 'ss');
  return ` ${plain.replace(APOSTROPHES, '').replace(SEPARATORS, ' ').trim()} `;
}

function hasWord(text: string, word: string): boolean {
  return word !== '' && wordAt(text, word, 0) !== -1;
}

function withoutWord(text: string, word: string): string {
  if (word === '') return text;
  let rest = text;
  for (let at = wordAt(rest, word, 0); at !== -1; at = wordAt(rest, word, at)) {
    rest = `${rest.slice(0, at)} ${rest.slice(at + word.length)}`;
  }
  return rest;
}

/** Where the word stands by itself, at or after `from`; -1 for nowhere. */
function wordAt(text: string, word: string, from: number): number {
  for (let at = text.indexOf(word, from); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!isInside(text.charCodeAt(at - 1)) && !isInside(text.charCodeAt(at + word.length))) return at;
  }
  return -1;
}

/** A letter or digit; NaN (no character there) is none. */
function isInside(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
}
