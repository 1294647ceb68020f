import { createHash } from 'node:crypto';
import type { CallerStream } from '../../platform/http/caller-stream.js';

/** What was asked, for a body that has been read: its members in their order, wherever its spaces were. */
export function fingerprint(url: string, body: unknown): Buffer {
  return started(url)
    .update(JSON.stringify(body) ?? '')
    .digest();
}

/** The same of a body on its way to its reader: of all its bytes. What nobody has read when it is asked for is dropped. */
export function streamFingerprint(url: string, body: CallerStream): () => Promise<Buffer> {
  const hash = started(url);
  body.observe((piece) => hash.update(piece));
  return async () => {
    await body.arrival();
    return hash.digest();
  };
}

/** With its path and query: another id under the same route is another request. */
function started(url: string) {
  return createHash('sha256').update(`${url}\n`);
}
