import { isIP } from 'node:net';
import { readUrl } from '../lib/read-url.js';

/* A page of another site may reach a service of this machine under a name of its own that resolves here (DNS rebinding), with the browser of
   somebody who is allowed to. An IP address cannot be rebound, and localhost is always this machine. */

/**
 * Why a request is not answered; null when it may be.
 * @param host of `Host` (or of a trusted proxy), with its port
 * @param origin as browsers send it
 */
export function refuseOrigin(
  host: string | undefined,
  origin: string | undefined,
  publicUrl: string,
): 'host' | 'origin' | null {
  const own = new URL(publicUrl);
  const name = nameOf(host);
  if (name === null || !(isLocal(name) || name === own.hostname)) return 'host';
  if (origin === undefined) return null;
  return origin === own.origin || readUrl(origin)?.host === host?.toLowerCase() ? null : 'origin';
}

function nameOf(host: string | undefined): string | null {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return null;
  return readUrl(`http://${host}`)?.hostname ?? null;
}

function isLocal(name: string): boolean {
  return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}
