import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyKind } from '../scope/key-scope.js';

/** `ms_<kind>_` + 32 random base62 characters (190 bits) + 6 base62 characters of the CRC-32 of everything before them. */
const TOKEN = /^(ms_(agent|live|test|admin|claim)_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
/** The token of a claim opens nothing by itself: it hands an agent's key to an account. */
type TokenKind = KeyKind | 'claim';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** The largest multiple of 62 in a byte: larger bytes are drawn again, so that every character is equally likely. */
const UNBIASED = 248;

export function generateToken(kind: TokenKind): string {
  const unchecked = `ms_${kind}_${randomBase62()}`;
  return unchecked + checksum(unchecked);
}

/** The kind that a key's token claims, or null when it is no token of ours or mistyped: known without a database read. */
export function kindOfToken(token: string): KeyKind | null {
  const kind = checkedKind(token);
  return kind === 'claim' ? null : kind;
}

/** Whether it may be the token of a claim, as a registration answers it. */
export function isClaimToken(token: string): boolean {
  return checkedKind(token) === 'claim';
}

/** A token of ours, whole or cut, anywhere in a text such as a line of a log. */
const TOKEN_LIKE = /ms_(?:agent|live|test|admin|claim)_[0-9A-Za-z]*/;

/** What may be a token in a text; null when there is nothing like one. */
export function tokenIn(text: string): string | null {
  return TOKEN_LIKE.exec(text)?.[0] ?? null;
}

function checkedKind(token: string): TokenKind | null {
  const [, unchecked, kind, given] = TOKEN.exec(token) ?? [];
  return unchecked === undefined || checksum(unchecked) !== given ? null : (kind as TokenKind);
}

/** The hash under which a token is stored. A fast hash is enough: nobody guesses 190 random bits. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

function randomBase62(): string {
  let text = '';
  while (text.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) if (byte < UNBIASED) text += BASE62[byte % 62];
  }
  return text.slice(0, RANDOM_LENGTH);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++, rest = Math.floor(rest / 62)) digits = BASE62[rest % 62] + digits;
  return digits;
}
