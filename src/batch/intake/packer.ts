import { mailDomainOf } from '../mail-domain.js';
import { AddressHash } from './address-hash.js';
import { AddressSet } from './address-set.js';
import { CHUNK_SIZE, type ChunkBlock, OpenChunk, OpenRows, type RowBlock } from './blocks.js';
import { type BucketOf, chooseBuckets } from './buckets.js';
import type { IntakeRow, RowPiece } from './intake-row.js';
import { plainEnd, PlainRows } from './plain-rows.js';
import { Repeats } from './repeats.js';

/** Rows that are looked at before buckets are chosen. */
const HELD_ROWS = 20_000;
/** Of their other columns, whatever their number. */
const HELD_CHARACTERS = 4_194_304;
/** Rows that are placed in one go. */
const ROWS_AT_ONCE = 1_000;
/** Addresses that are looked for before the first of them is placed. */
const AHEAD = 64;

/**
 * Puts each address into the chunk of its mail domain's bucket while the rows come, so that nothing is sorted afterwards and what is in
 * memory is the first 20,000 rows and at most 96 unfinished chunks, however long the body is (docs/adr/0015).
 */
export class Packer {
  /** Known after `close`. */
  uniqueAddresses = 0;
  /** Known after `close`. */
  chunkCount = 0;
  totalRows = 0;
  /** Bytes of the blocks that wait to be stored. */
  waitingBytes = 0;
  readonly repeats = new Repeats();
  private held: IntakeRow[] = [];
  private heldCharacters = 0;
  private bucketOf: BucketOf | null = null;
  private readonly hash = new AddressHash(AHEAD);
  private readonly seen = new AddressSet();
  private readonly open = new Map<number, OpenChunk>();
  private readonly spare: Buffer[] = [];
  private rows = new OpenRows();
  private blocks = 0;
  private fullRows: RowBlock[] = [];
  private fullChunks: ChunkBlock[] = [];
  private scratch = Buffer.allocUnsafeSlow(4_096);

  /** @param operators consumer domains to the name of their operator */
  constructor(private readonly operators: ReadonlyMap<string, string>) {}

  /** Enough is known to place rows, by `placeHeld`, before more are added. */
  get holdsEnough(): boolean {
    return this.held.length >= HELD_ROWS || this.heldCharacters >= HELD_CHARACTERS;
  }

  add(piece: RowPiece): void {
    this.totalRows += piece.length;
    if (this.bucketOf === null) {
      // Not by spread: a piece may be longer than the arguments of a call.
      for (const row of piece) {
        this.held.push(row);
        for (const cell of row.cells ?? []) this.heldCharacters += cell.length;
      }
    } else if (piece instanceof PlainRows) {
      for (let i = 0; i < piece.length; i += AHEAD) this.placePlain(piece, i, Math.min(i + AHEAD, piece.length));
    } else {
      for (const row of piece) this.place(row);
    }
  }

  /**
   * Chooses the buckets and places what was held, a thousand rows at a time, so that the caller can give way to others in between.
   * @param areAll no others will come
   */
  *placeHeld(areAll: boolean): Generator<void> {
    if (this.bucketOf !== null) return;
    const { held } = this;
    this.held = [];
    this.heldCharacters = 0;
    const domains = held.map(({ email }) => mailDomainOf(email).trimEnd().toLowerCase());
    this.bucketOf = chooseBuckets(domains, areAll, this.operators, (domain) => this.hashOfDomain(domain));
    for (const [i, row] of held.entries()) {
      if (i % ROWS_AT_ONCE === 0) yield;
      this.place(row);
    }
  }

  takeFull(): { rows: readonly RowBlock[]; chunks: readonly ChunkBlock[] } {
    const full = { rows: this.fullRows, chunks: this.fullChunks };
    this.fullRows = [];
    this.fullChunks = [];
    this.waitingBytes = 0;
    return full;
  }

  /** Takes back the memory of chunks that are stored: new memory for each cost more than filling it. */
  reuse(chunks: readonly ChunkBlock[]): void {
    for (const { emails } of chunks) this.spare.push(Buffer.from(emails.buffer));
  }

  /** Closes what is not full, after the last row; what is held until then is placed in one go. */
  close(): void {
    for (const _ of this.placeHeld(true)) continue;
    if (this.rows.count > 0) this.closeRows();
    for (const chunk of this.open.values()) this.closeChunk(chunk);
    this.open.clear();
  }

  private placePlain({ bytes, bounds }: PlainRows, from: number, to: number): void {
    const { hash, seen } = this;
    for (let i = from; i < to; i++) hash.read(bytes, bounds[i * 2]!, bounds[i * 2 + 1]!, i - from);
    for (let i = 0; i < to - from; i++) seen.fetch(hash.values[i * 3]!);
    for (let i = from; i < to; i++) this.settle(bytes, bounds[i * 2]!, bounds[i * 2 + 1]!, null, i - from);
  }

  /** What needs escaping is known by its JSON, in which plain text stands for itself: so one address has one hash. */
  private place({ email, cells }: IntakeRow): void {
    const text = email.trim();
    const length = this.write(text);
    const isPlain = plainEnd(this.scratch, 0, length) === length;
    const from = isPlain ? 0 : 1;
    const to = isPlain ? length : this.write(keyOf(text)) - 1;
    this.hash.read(this.scratch, from, to, 0);
    this.settle(this.scratch, from, to, isPlain ? null : text, 0);
    if (cells !== null) this.rows.addCells(cells);
  }

  /**
   * @param text null when it is what stands in `bytes`
   * @param at where its hash is
   */
  private settle(bytes: Buffer, from: number, to: number, text: string | null, at: number): void {
    const { values } = this.hash;
    const bucket = this.bucketOf!(values[at * 3 + 2]!);
    const open = this.open.get(bucket);
    const place = open === undefined ? this.chunkCount * CHUNK_SIZE : open.number * CHUNK_SIZE + open.emails.count;
    const known = this.seen.add(values[at * 3]!, values[at * 3 + 1]!, place);
    if (this.rows.count === CHUNK_SIZE) this.closeRows();
    if (known >= 0) {
      this.repeats.add(known);
      this.rows.add(known, text ?? bytes.toString('latin1', from, to));
      return;
    }
    this.rows.add(place, null);
    this.uniqueAddresses += 1;
    const { emails } = open ?? this.openChunk(bucket);
    if (text === null) emails.addPlain(bytes, from, to);
    else emails.add(JSON.stringify(text));
    if (emails.count === CHUNK_SIZE) this.closeChunk(this.open.get(bucket)!);
  }

  private openChunk(bucket: number): OpenChunk {
    const chunk = new OpenChunk(this.chunkCount++, bucket, this.spare.pop());
    this.open.set(bucket, chunk);
    return chunk;
  }

  private closeChunk(chunk: OpenChunk): void {
    this.open.delete(chunk.bucket);
    const block = chunk.close();
    this.fullChunks.push(block);
    this.waitingBytes += block.emails.length;
  }

  private closeRows(): void {
    const block = this.rows.close(this.blocks++);
    this.fullRows.push(block);
    this.waitingBytes += block.places.length + block.emails.length + (block.cells?.length ?? 0);
    this.rows = new OpenRows();
  }

  private hashOfDomain(domain: string): number {
    const length = this.write(JSON.stringify(domain));
    return this.hash.ofDomain(this.scratch, 1, length - 1);
  }

  /** Into `scratch`. @returns its bytes */
  private write(text: string): number {
    if (text.length * 3 > this.scratch.length) this.scratch = Buffer.allocUnsafeSlow(text.length * 3);
    return this.scratch.write(text);
  }
}

function keyOf(address: string): string {
  const domain = mailDomainOf(address);
  return JSON.stringify(address.slice(0, address.length - domain.length) + domain.toLowerCase());
}
