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
