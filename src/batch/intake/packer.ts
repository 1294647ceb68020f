import { CHUNK_SIZE, domainPartOf, encodeRowRef, repeatKeyOf } from '../model/row-ref.js';
import type { IntakeRow, RowPiece } from '../formats/sent-body.js';
import { plainEnd, PlainRows } from '../formats/line-reader.js';
import { AddressHash, AddressSet } from './address-set.js';
import { type ChunkBlock, ChunkBuilder, DuplicateCounts, type RowBlock, RowsBuilder } from './blocks.js';
import { choosePartitioning, type Partitioning } from './partitions.js';

/** Rows that the packer holds before it chooses partitions by them. */
const HELD_ROWS = 20_000;
/** Characters of extra columns that end the holding, too, however few the rows are. */
const HELD_CHARACTERS = 4_194_304;
/** Rows that are packed before other work gets the event loop. */
const ROWS_PAGE_SIZE = 1_000;
/** Items that are looked up in the set before the first of them is packed. */
const AHEAD = 64;

/**
 * Puts each item into a chunk of its mail domain's partition while the rows come. Nothing is sorted afterwards, and in memory are the first
 * 20,000 rows and at most 96 unfinished chunks, however long the body is (docs/adr/measured-choices.md, 15).
 *
 * The packer first holds rows; `holdsEnough` says when their domains tell which partitions to make, and `packHeld` makes them. From then on
 * `add` packs at once. `takeFull` hands over the blocks that are full, `close` fills the last ones. An item that comes again gets the row
 * ref of the first one, is counted in `duplicates`, and is stored as this row has it.
 */
export class Packer {
  /** Known after `close`. */
  uniqueAddresses = 0;
  /** Known after `close`. */
  chunkCount = 0;
  totalRows = 0;
  /** Distinct items that are malformed, known after `close`. */
  malformed = 0;
  /** Bytes of the full blocks that wait to be stored. */
  waitingBytes = 0;
  readonly duplicates = new DuplicateCounts();
  private held: IntakeRow[] = [];
  private heldCharacters = 0;
  private partitioning: Partitioning | null = null;
  private readonly hash = new AddressHash(AHEAD);
  private readonly seen = new AddressSet();
  private readonly open = new Map<number, ChunkBuilder>();
  private readonly spare: Buffer[] = [];
  private rows = new RowsBuilder();
  private blocks = 0;
  private fullRows: RowBlock[] = [];
  private fullChunks: ChunkBlock[] = [];
  private scratch = Buffer.allocUnsafeSlow(4_096);

  /** @param operators consumer domains to the name of their operator */
  constructor(
    private readonly operators: ReadonlyMap<string, string>,
    private readonly isMalformed: (item: string) => boolean,
  ) {}

  /** The held rows are enough to choose partitions: the caller calls `packHeld` before it adds more. */
  get holdsEnough(): boolean {
    return this.held.length >= HELD_ROWS || this.heldCharacters >= HELD_CHARACTERS;
  }

  add(piece: RowPiece): void {
    this.totalRows += piece.length;
    if (this.partitioning === null) {
      // Row by row: a piece may have more rows than a call may have arguments.
      for (const row of piece) {
        this.held.push(row);
        for (const value of row.extraColumns ?? []) this.heldCharacters += value.length;
      }
    } else if (piece instanceof PlainRows) {
      for (let i = 0; i < piece.length; i += AHEAD) this.packPlain(piece, i, Math.min(i + AHEAD, piece.length));
    } else {
      for (const row of piece) this.packRow(row);
    }
  }

  /**
   * Chooses the partitions and packs the held rows, a thousand at a time, so that the caller can give way to others in between.
   * @param areAll no other rows will come
   */
  *packHeld(areAll: boolean): Generator<void> {
    if (this.partitioning !== null) return;
    const { held } = this;
    this.held = [];
    this.heldCharacters = 0;
    const domains = held.map(({ item }) => domainPartOf(item).trimEnd().toLowerCase());
    this.partitioning = choosePartitioning(domains, areAll, this.operators, (domain) => this.hashOfDomain(domain));
    for (const [i, row] of held.entries()) {
      if (i % ROWS_PAGE_SIZE === 0) yield;
      this.packRow(row);
    }
  }

  takeFull(): { rows: readonly RowBlock[]; chunks: readonly ChunkBlock[] } {
    const full = { rows: this.fullRows, chunks: this.fullChunks };
    this.fullRows = [];
    this.fullChunks = [];
    this.waitingBytes = 0;
    return full;
  }

  /** Takes back the memory of stored chunks, because allocating it for each chunk costs more than filling it. */
  reuse(chunks: readonly ChunkBlock[]): void {
    for (const { items } of chunks) this.spare.push(Buffer.from(items.buffer));
  }

  /** Closes the blocks that are not full, after the last row; rows that are still held are packed first, without a pause. */
  close(): void {
    for (const _ of this.packHeld(true)) continue;
    if (this.rows.count > 0) this.closeRows();
    for (const chunk of this.open.values()) this.closeChunk(chunk);
    this.open.clear();
  }

  private packPlain({ bytes, bounds }: PlainRows, from: number, to: number): void {
    const { hash, seen } = this;
    for (let i = from; i < to; i++) hash.read(bytes, bounds[i * 2]!, bounds[i * 2 + 1]!, i - from);
    for (let i = 0; i < to - from; i++) seen.fetch(hash.values[i * 3]!);
    for (let i = from; i < to; i++) this.packItem(bytes, bounds[i * 2]!, bounds[i * 2 + 1]!, null, i - from);
  }

  /** Every item is hashed by its JSON, which plain text is itself, so that an item has one hash however the body writes it. */
  private packRow({ item, extraColumns }: IntakeRow): void {
    const text = item.trim();
    const length = this.write(text);
    const isPlain = plainEnd(this.scratch, 0, length) === length;
    const from = isPlain ? 0 : 1;
    const to = isPlain ? length : this.write(JSON.stringify(repeatKeyOf(text))) - 1;
    this.hash.read(this.scratch, from, to, 0);
    this.packItem(this.scratch, from, to, isPlain ? null : text, 0);
    if (extraColumns !== null) this.rows.addExtraColumns(extraColumns);
  }

  /**
   * @param text null when `bytes` hold the item as it is
   * @param slot of its hash in `hash`
   */
  private packItem(bytes: Buffer, from: number, to: number, text: string | null, slot: number): void {
    const { values } = this.hash;
    const partition = this.partitioning!.partitionOf(values[slot * 3 + 2]!);
    const open = this.open.get(partition);
    const ref = open === undefined ? encodeRowRef(this.chunkCount, 0) : encodeRowRef(open.number, open.items.count);
    const known = this.seen.add(values[slot * 3]!, values[slot * 3 + 1]!, ref);
    if (this.rows.count === CHUNK_SIZE) this.closeRows();
    if (known >= 0) {
      this.duplicates.add(known);
      this.rows.add(known, text ?? bytes.toString('latin1', from, to));
      return;
    }
    this.rows.add(ref, null);
    this.uniqueAddresses += 1;
    if (this.isMalformed(text ?? bytes.toString('latin1', from, to))) this.malformed += 1;
    const { items } = open ?? this.openChunk(partition);
    if (text === null) items.addPlain(bytes, from, to);
    else items.add(JSON.stringify(text));
    if (items.count === CHUNK_SIZE) this.closeChunk(this.open.get(partition)!);
  }

  private openChunk(partition: number): ChunkBuilder {
    const by = this.partitioning!.partitionedBy(partition);
    const chunk = new ChunkBuilder(this.chunkCount++, partition, by, this.spare.pop());
    this.open.set(partition, chunk);
    return chunk;
  }

  private closeChunk(chunk: ChunkBuilder): void {
    this.open.delete(chunk.partition);
    const block = chunk.close();
    this.fullChunks.push(block);
    this.waitingBytes += block.items.length;
  }

  private closeRows(): void {
    const block = this.rows.close(this.blocks++);
    this.fullRows.push(block);
    this.waitingBytes += block.rowRefs.length + block.items.length + (block.extraColumns?.length ?? 0);
    this.rows = new RowsBuilder();
  }

  private hashOfDomain(domain: string): number {
    const length = this.write(JSON.stringify(domain));
    return this.hash.ofDomain(this.scratch, 1, length - 1);
  }

  /** Writes into `scratch`. @returns how many bytes */
  private write(text: string): number {
    if (text.length * 3 > this.scratch.length) this.scratch = Buffer.allocUnsafeSlow(text.length * 3);
    return this.scratch.write(text);
  }
}
