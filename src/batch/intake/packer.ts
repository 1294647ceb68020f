import { AddressSet } from './address-set.js';
import { type BucketOf, chooseBuckets } from './buckets.js';
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

/** Rows that are looked at before buckets are chosen. */
const HELD_ROWS = 20_000;

/**
 * Puts each address into the chunk of its mail domain's bucket while the rows come, so that nothing is sorted afterwards and what is in
 * memory is the first 20,000 rows and at most 96 unfinished chunks, however long the body is (docs/adr/0015).
 */
export class Packer {
  private held: IntakeRow[] | null = [];
  private bucketOf: BucketOf = () => 0;
  private readonly seen = new AddressSet();
  private readonly repeated = new Map<number, number>();
  private readonly open = new Map<number, { number: number; emails: string[] }>();
  private chunks = 0;
  private blocks = 0;
  private unique = 0;
  private rows = { emails: [] as string[], places: [] as number[], cells: [] as (readonly string[])[] };
  private fullRows: RowBlock[] = [];
  private fullChunks: ChunkBlock[] = [];

  /** @param operators consumer domains to the name of their operator */
  constructor(private readonly operators: ReadonlyMap<string, string>) {}

  get totalRows(): number {
    return this.blocks * CHUNK_SIZE + this.rows.emails.length + (this.held?.length ?? 0);
  }

  /** Known after `close`. */
  get uniqueAddresses(): number {
    return this.unique;
  }

  /** Known after `close`. */
  get chunkCount(): number {
    return this.chunks;
  }

  /** Full blocks that wait to be stored. */
  get waiting(): number {
    return this.fullRows.length + this.fullChunks.length;
  }

  add(row: IntakeRow): void {
    if (this.held === null) return this.place(row);
    this.held.push(row);
    if (this.held.length === HELD_ROWS) this.placeHeld(false);
  }

  takeFull(): { rows: readonly RowBlock[]; chunks: readonly ChunkBlock[] } {
    const full = { rows: this.fullRows, chunks: this.fullChunks };
    this.fullRows = [];
    this.fullChunks = [];
    return full;
  }

  /** Closes what is not full: after the last row. */
  close(): void {
    if (this.held !== null) this.placeHeld(true);
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

  private placeHeld(areAll: boolean): void {
    const held = this.held ?? [];
    this.held = null;
    const domains = held.map(({ email }) => email.slice(domainAt(email)).trimEnd().toLowerCase());
    this.bucketOf = chooseBuckets(domains, areAll, this.operators);
    for (const row of held) this.place(row);
  }

  private place({ email, cells }: IntakeRow): void {
    this.rows.emails.push(email);
    this.rows.places.push(this.placeOf(email.trim()));
    if (cells !== null) this.rows.cells.push(cells);
    if (this.rows.emails.length === CHUNK_SIZE) this.closeRows();
  }

  private closeRows(isFull = true): void {
    const { emails, places, cells } = this.rows;
    this.fullRows.push({ number: this.blocks, emails, places, cells: cells.length > 0 ? cells : null });
    if (!isFull) return;
    this.blocks += 1;
    this.rows = { emails: [], places: [], cells: [] };
  }

  private placeOf(address: string): number {
    const at = domainAt(address);
    const domain = address.slice(at).toLowerCase();
    const bucket = this.bucketOf(domain);
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
  }
}

function domainAt(address: string): number {
  return address.lastIndexOf('@') + 1;
}
