import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/*
 * Documents change with a release at most. Five minutes are long enough for a crawler not to ask twice, and short enough for a
 * mistake to go.
 */
const CACHE_CONTROL = 'public, max-age=300';

/** A document ready to be sent. */
export interface ServedDocument {
  readonly type: string;
  readonly text: string;
  /** The entity tag of the text (RFC 9110 section 8.8.3). */
  readonly tag: string;
}

export function servedDocument(type: string, text: string): ServedDocument {
  return { type, text, tag: `"${hash('sha256', text, 'base64url').slice(0, 27)}"` };
}

/** Sends it whole, or 304 to a client that has it. */
export function sendDocument(
  { type, text, tag }: ServedDocument,
  known: string | undefined,
  reply: FastifyReply,
  cacheControl = CACHE_CONTROL,
): void {
  void reply.headers({ ETag: tag, 'Cache-Control': cacheControl });
  // Whatever everybody may read a page of any origin may read too (Fetch standard, CORS protocol).
  if (cacheControl === CACHE_CONTROL)
    void reply.headers({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag, Link' });
  if (isKnown(known, tag)) void reply.status(304).send();
  else void reply.type(type).send(text);
}

/** Whether the client has this version: a weak comparison, by RFC 9110 section 13.1.2. */
function isKnown(known: string | undefined, tag: string): boolean {
  if (known === undefined) return false;
  return known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
