import { createHash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { finished } from 'node:stream/promises';

/** What was asked, for a body that has been read: its members in their order, wherever its spaces were. */
export function fingerprint(url: string, body: unknown): Buffer {
  return started(url)
    .update(JSON.stringify(body) ?? '')
    .digest();
}

/** A body on its way to whoever reads it, hashed while it passes. */
export class FingerprintedBody extends Transform {
  private readonly hash;

  constructor(url: string, source: Readable) {
    super();
    this.hash = started(url);
    source.once('error', (error) => this.destroy(error));
    source.pipe(this);
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.hash.update(chunk);
    done(null, chunk);
  }

  /** Of the whole body; what nobody has read by then is read and dropped. */
  async fingerprint(): Promise<Buffer> {
    if (!this.readableEnded) {
      this.resume();
      await finished(this, { writable: false });
    }
    return this.hash.digest();
  }
}

/** With its path and query: another id under the same route is another request. */
function started(url: string) {
  return createHash('sha256').update(`${url}\n`);
}
