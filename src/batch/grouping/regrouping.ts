import { CHUNK_SIZE, type ChunkBlock, OpenChunk } from '../intake/blocks.js';
import { Repeats } from '../intake/repeats.js';

/**
 * Puts the addresses of chunks into new chunks, bucket by bucket. It goes through the rows that were sent in their order, so that those
 * who read results in this order still find them in few chunks at a time.
 */
export class Regrouping {
  readonly repeats = new Repeats();
  private readonly open = new Map<number, OpenChunk>();
  /** By old chunk, where its addresses are now; -1 is where they were. */
  private readonly moved: ReadonlyMap<number, Int32Array>;
  private full: ChunkBlock[] = [];
  private made = 0;

  /**
   * @param chunks the addresses of the old ones, by number
   * @param next the first free number
   */
  constructor(
    private readonly chunks: ReadonlyMap<number, readonly string[]>,
    private readonly bucketOf: (email: string) => number,
    private next: number,
  ) {
    this.moved = new Map([...chunks].map(([number, emails]) => [number, new Int32Array(emails.length).fill(-1)]));
  }

  /**
   * Moves the addresses of these rows, and writes where they are now.
   * @param places as in `RowBlock`
   * @returns false when nothing has changed
   */
  move(places: Buffer): boolean {
    let isChanged = false;
    for (let at = 0; at < places.length; at += 4) {
      const place = places.readInt32LE(at);
      const chunk = Math.floor(place / CHUNK_SIZE);
      const moved = this.moved.get(chunk);
      if (moved === undefined) continue;
      const offset = place % CHUNK_SIZE;
      if (moved[offset] === -1) moved[offset] = this.place(this.chunks.get(chunk)![offset]!);
      else this.repeats.add(moved[offset]!);
      places.writeInt32LE(moved[offset]!, at);
      isChanged = true;
    }
    return isChanged;
  }

  takeFull(): readonly ChunkBlock[] {
    const { full } = this;
    this.full = [];
    return full;
  }

  /** Closes what is not full, after the last row. @returns how many chunks there are now */
  close(): number {
    for (const chunk of this.open.values()) this.full.push(chunk.close());
    this.open.clear();
    return this.made;
  }

  private place(email: string): number {
    const bucket = this.bucketOf(email);
    const chunk = this.open.get(bucket) ?? this.openChunk(bucket);
    const place = chunk.number * CHUNK_SIZE + chunk.emails.count;
    chunk.emails.add(JSON.stringify(email));
    if (chunk.emails.count === CHUNK_SIZE) {
      this.open.delete(bucket);
      this.full.push(chunk.close());
    }
    return place;
  }

  private openChunk(bucket: number): OpenChunk {
    const chunk = new OpenChunk(this.next++, bucket, undefined);
    this.made += 1;
    this.open.set(bucket, chunk);
    return chunk;
  }
}
