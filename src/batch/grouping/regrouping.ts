import { CHUNK_SIZE, type ChunkBlock } from '../intake/blocks.js';
import { Repeats } from '../intake/repeats.js';

/** A chunk whose addresses go into others. */
export interface UngroupedChunk {
  /** JSON: of the addresses in it. */
  readonly emails: string;
  /** Of each address, the number of its mail domain. */
  readonly domains: Int32Array;
}

/** A chunk that is being emptied: parsed from the first address that is moved to the last one, to spare memory. */
interface Source {
  readonly emails: readonly string[];
  left: number;
}

interface OpenChunk {
  readonly number: number;
  readonly bucket: number;
  readonly emails: string[];
}

/**
 * Puts the addresses of chunks into new chunks, bucket by bucket. It goes through the rows that were sent in their order, so that those
 * who read results in this order still find them in few chunks at a time.
 */
export class Regrouping {
  readonly repeats = new Repeats();
  /** Chunks that there are now. */
  made = 0;
  private readonly sources = new Map<number, Source>();
  private readonly open = new Map<number, OpenChunk>();
  /** By old chunk, where its addresses are now; -1 is where they were. */
  private readonly moved: ReadonlyMap<number, Int32Array>;
  private full: ChunkBlock[] = [];

  /**
   * @param chunks the old ones, by number
   * @param buckets by number of a mail domain
   * @param next the first free number of a chunk
   */
  constructor(
    private readonly chunks: ReadonlyMap<number, UngroupedChunk>,
    private readonly buckets: readonly number[],
    private next: number,
  ) {
    this.moved = new Map([...chunks].map(([number, { domains }]) => [number, new Int32Array(domains.length).fill(-1)]));
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
      const number = Math.floor(place / CHUNK_SIZE);
      const moved = this.moved.get(number);
      if (moved === undefined) continue;
      const offset = place % CHUNK_SIZE;
      if (moved[offset] === -1) moved[offset] = this.place(number, offset);
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

  /** Closes what is not full, after the last row. */
  close(): void {
    for (const chunk of this.open.values()) this.closeChunk(chunk);
  }

  private place(from: number, offset: number): number {
    const { emails, domains } = this.chunks.get(from)!;
    let source = this.sources.get(from);
    if (source === undefined)
      this.sources.set(from, (source = { emails: JSON.parse(emails) as string[], left: domains.length }));
    source.left -= 1;
    if (source.left === 0) this.sources.delete(from);
    const bucket = this.buckets[domains[offset]!]!;
    const chunk = this.open.get(bucket) ?? this.openChunk(bucket);
    const size = chunk.emails.push(source.emails[offset]!);
    if (size === CHUNK_SIZE) this.closeChunk(chunk);
    return chunk.number * CHUNK_SIZE + size - 1;
  }

  private openChunk(bucket: number): OpenChunk {
    const chunk = { number: this.next++, bucket, emails: [] };
    this.made += 1;
    this.open.set(bucket, chunk);
    return chunk;
  }

  private closeChunk({ number, bucket, emails }: OpenChunk): void {
    this.open.delete(bucket);
    this.full.push({ number, bucket, size: emails.length, emails: Buffer.from(JSON.stringify(emails)) });
  }
}
