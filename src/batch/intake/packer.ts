import { AddressSet } from './address-set.js';
import type { IntakeRow } from './intake-row.js';

/** Addresses or rows that are stored as one. */
export const CHUNK_SIZE = 1_000;

/** A block of what was sent, in its order. */
export interface RowBlock {
  readonly number: number;
  readonly emails: readonly string[];
  /** Where each is verified: chunk * CHUNK_SIZE + offset. */
  readonly places: readonly number[];
  readonly cells: readonly (readonly string[])[] | null;
}

/** A block of work. */
export interface ChunkBlock {
  readonly number: number;
  readonly bucket: number;
  readonly emails: readonly string[];
}

/** A bucket is begun for so many addresses: a small batch has few chunks, and a huge one never more than 64 open ones. */
const ADDRESSES_OF_A_BUCKET = 4_000;
const MOST_BUCKETS = 64;

/**
 * Puts each address into the chunk of its mail domain's bucket while the rows come, so that nothing is sorted afterwards and what is in
 * memory is at most 64 unfinished chunks, however long the body is (docs/adr/0015).
 */
export class Packer {
  private readonly seen = new AddressSet();
  private readonly repeated = new Map<number, number>();
  private readonly open = new Map<number, { number: number; emails: string[] }>();
  private buckets = 1;
  private chunks = 0;
  private blocks = 0;
  private unique = 0;
  private rows = { emails: [] as string[], places: [] as number[], cells: [] as (readonly string[])[] };
  private fullRows: RowBlock[] = [];
  private fullChunks: ChunkBlock[] = [];

  /** @param operators consumer domains to the name of their operator */
  constructor(private readonly operators: ReadonlyMap<string, string>) {}

  get totalRows(): number {
    return this.blocks * CHUNK_SIZE + this.rows.emails.length;
  }

  get uniqueAddresses(): number {
    return this.unique;
  }

  get chunkCount(): number {
    return this.chunks;
  }

  /** Full blocks that wait to be stored. */
  get waiting(): number {
    return this.fullRows.length + this.fullChunks.length;
  }

  add({ email, cells }: IntakeRow): void {
    this.rows.emails.push(email);
    this.rows.places.push(this.placeOf(email.trim()));
    if (cells !== null) this.rows.cells.push(cells);
    if (this.rows.emails.length === CHUNK_SIZE) this.closeRows();
  }

  takeFull(): { rows: readonly RowBlock[]; chunks: readonly ChunkBlock[] } {
    const full = { rows: this.fullRows, chunks: this.fullChunks };
    this.fullRows = [];
    this.fullChunks = [];
    return full;
  }

  /** Closes what is not full: after the last row. */
  close(): void {
    if (this.rows.emails.length > 0) this.closeRows(false);
    for (const [bucket, { number, emails }] of this.open) this.fullChunks.push({ number, bucket, emails });
    this.open.clear();
  }

  /** By chunk: pairs of an offset and how many further rows its address answers. */
  repeats(): ReadonlyMap<number, readonly number[]> {
    const pairs = new Map<number, number[]>();
    for (const [place, times] of this.repeated) {
      const chunk = Math.floor(place / CHUNK_SIZE);
      const known = pairs.get(chunk) ?? [];
      known.push(place % CHUNK_SIZE, times);
      pairs.set(chunk, known);
    }
    return pairs;
  }

  private closeRows(isFull = true): void {
    const { emails, places, cells } = this.rows;
    this.fullRows.push({ number: this.blocks, emails, places, cells: cells.length > 0 ? cells : null });
    if (!isFull) return;
    this.blocks += 1;
    this.rows = { emails: [], places: [], cells: [] };
  }

  private placeOf(address: string): number {
    const at = address.lastIndexOf('@') + 1;
    const domain = address.slice(at).toLowerCase();
    const bucket = bucketHash(this.operators.get(domain) ?? domain) & (this.buckets - 1);
    const chunk = this.open.get(bucket) ?? { number: this.chunks, emails: [] };
    const place = chunk.number * CHUNK_SIZE + chunk.emails.length;
    const known = this.seen.add(address, at, domain, place);
    if (known >= 0) {
      this.repeated.set(known, (this.repeated.get(known) ?? 0) + 1);
      return known;
    }
    this.append(chunk, bucket, address);
    return place;
  }

  private append(chunk: { number: number; emails: string[] }, bucket: number, address: string): void {
    if (chunk.emails.push(address) === 1) {
      this.open.set(bucket, chunk);
      this.chunks += 1;
    }
    if (chunk.emails.length === CHUNK_SIZE) {
      this.open.delete(bucket);
      this.fullChunks.push({ number: chunk.number, bucket, emails: chunk.emails });
    }
    this.unique += 1;
    if (this.unique > this.buckets * ADDRESSES_OF_A_BUCKET && this.buckets < MOST_BUCKETS) this.buckets *= 2;
  }
}

/** FNV-1a, folded: its low bits alone are poor. */
function bucketHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
