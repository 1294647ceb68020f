import { parseCookie, stringifySetCookie } from 'cookie';

/** Bound to this host, and to https, by its name (RFC 6265bis section 4.1.3.2). */
const SECURE_NAME = '__Host-ms_session';
/** On plain http some browsers keep no cookie of that name. */
const PLAIN_NAME = 'ms_session';

/** What the browser sends; null without a session. */
export function sessionIdIn(cookies: string | undefined, publicUrl: string): string | null {
  if (cookies === undefined) return null;
  return parseCookie(cookies)[nameFor(publicUrl)] ?? null;
}

/** `Set-Cookie` of a session, or with a null of its end. Lax: a link in a mail leads into the console, not to its sign-in. */
export function sessionCookie(id: string | null, publicUrl: string): string {
  return stringifySetCookie({
    name: nameFor(publicUrl),
    value: id ?? '',
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: isSecure(publicUrl),
    ...(id === null && { maxAge: 0 }),
  });
}

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:');
const nameFor = (publicUrl: string): string => (isSecure(publicUrl) ? SECURE_NAME : PLAIN_NAME);

/** What tells whose page asks: browsers set both, and no page can (Fetch Metadata; RFC 6454 section 7). */
export interface PageHeaders {
  readonly 'sec-fetch-site'?: string | string[];
  readonly origin?: string;
}

/** The headers by which a reply to a cookie differs. */
export const SESSION_VARY = 'Sec-Fetch-Site, Origin, Cookie';

const READING: readonly string[] = ['GET', 'HEAD'];

export function isReading(method: string): boolean {
  return READING.includes(method);
}

/**
 * Whether a request with a cookie comes from a page of ours, or for reading from the person alone (an address that was typed).
 * A browser says it only to https and to its own machine; where it does not, changes are believed by their origin.
 */
export function isSameOrigin(method: string, headers: PageHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isReading(method));
  return isReading(method) || headers.origin === new URL(publicUrl).origin;
}
