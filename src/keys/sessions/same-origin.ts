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
