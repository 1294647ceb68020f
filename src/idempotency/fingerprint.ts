import { createHash } from 'node:crypto';
import type { CallerStream } from '../platform/http/caller-stream.js';

/** The fingerprint of a request whose body has been read: its members in their order, without its white space. */
export function fingerprint(url: string, body: unknown): Buffer {
  return started(url)
    .update(JSON.stringify(body) ?? '')
    .digest();
}

/** The fingerprint of a request whose body is streaming: of all its bytes. Bytes that nobody has read by then are dropped. */
export function streamFingerprint(url: string, body: CallerStream): () => Promise<Buffer> {
  const hash = started(url);
  body.observe((piece) => hash.update(piece));
  return async () => {
    await body.arrival();
    return hash.digest();
  };
}

/** The hash of path and query, because another id under the same route is another request. */
function started(url: string) {
  return createHash('sha256').update(`${url}\n`);
}
