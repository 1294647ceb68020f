import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { READ_LIMITS } from './read-limits.js';

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/** A text of a stranger as it is kept: without what cannot be shown, and not longer than the limit; null: there is nothing in it. */
export function shownText(text: string): string | null {
  const shown = text.replace(UNPRINTABLE, ' ').trim();
  return shown === '' ? null : shown.slice(0, READ_LIMITS.textLength);
}

/** IPv4 inside IPv6 is the IPv4 address that connected. Zones are none of anybody else's network. */
export function addressOf(text: string): string | null {
  return isIP(text) === 0 || text.includes('%') ? null : ipaddr.process(text).toString();
}
