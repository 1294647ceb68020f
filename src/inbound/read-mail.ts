import { BareNewlines } from './bare-newlines.js';

export type MailRead =
  { readonly outcome: 'whole'; readonly raw: Buffer } | { readonly outcome: 'too_large' | 'bare_newline' };

/**
 * Reads what comes after DATA to its end, and keeps no more than `maxBytes` of it.
 * @param onEndless called once when more than twice as much has come: somebody who goes on sending is not waited for
 */
export async function readMail(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  onEndless: () => void,
): Promise<MailRead> {
  const kept: Buffer[] = [];
  const newlines = new BareNewlines();
  let size = 0;
  let isEndless = false;
  for await (const chunk of chunks) {
    size += chunk.length;
    newlines.add(chunk);
    if (size <= maxBytes) kept.push(chunk);
    else kept.length = 0;
    if (size > 2 * maxBytes && !isEndless) {
      isEndless = true;
      onEndless();
    }
  }
  if (size > maxBytes) return { outcome: 'too_large' };
  return newlines.hasAny ? { outcome: 'bare_newline' } : { outcome: 'whole', raw: Buffer.concat(kept, size) };
}
