import type { AddressHash } from './address-key.js';
import { type VerdictBlock, VerdictBlockBuilder } from './verdict-block.js';

const NONE = -1;
const FIRST_SLOTS = 1_024;

/** Addresses that a batch asks for, by their hashes: blocks of kept verdicts are shown to it one after the other, whatever their order. */
export class LookupSet {
  size = 0;
  private highs = new Uint32Array(FIRST_SLOTS);
  private chunks = new Int32Array(FIRST_SLOTS);
  private offsets = new Int16Array(FIRST_SLOTS);
  private lows = new Uint32Array(FIRST_SLOTS);
  /**
   * By bits of the low half of a hash, which nobody without the key can choose, its last address, and for each address the one before with the
   * same bits: a `Map` of a million such numbers costs half a microsecond a look, more than all the rest of it.
   */
  private last = new Int32Array(FIRST_SLOTS).fill(NONE);
  private before = new Int32Array(FIRST_SLOTS);
  /** For each address the block of its newest verdict, by index, and the place in it. */
  private hitBlocks = new Int32Array(FIRST_SLOTS).fill(NONE);
  private hitPlaces = new Int32Array(FIRST_SLOTS);
  private readonly blocks: VerdictBlock[] = [];

  add({ high, low }: AddressHash, chunk: number, offset: number): void {
    if (this.size === this.highs.length) this.grow();
    const at = this.size++;
    this.highs[at] = high;
    this.lows[at] = low;
    this.chunks[at] = chunk;
    this.offsets[at] = offset;
    this.link(at);
  }

  /** The numbers of the buckets in which the hashes are. */
  buckets(): number[] {
    const buckets = new Set<number>();
    for (let at = 0; at < this.size && buckets.size < 256; at++) buckets.add(this.highs[at]! >>> 24);
    return [...buckets];
  }

  /** @param since milliseconds since 1970: older verdicts do not count */
  show(block: VerdictBlock, since: number): void {
    for (let i = 0; i < block.count; i++) {
      const low = block.low(i);
      for (let at = this.last[low & this.mask()]!; at !== NONE; at = this.before[at]!) {
        if (this.lows[at] !== low || this.highs[at] !== block.high(i)) continue;
        const checkedAt = block.checkedAt(i);
        if (checkedAt >= since && checkedAt > this.checkedAt(at)) this.hit(at, block, i);
      }
    }
  }

  /** The newest verdict of each address that has one, by chunk and in it under the address's offset. */
  found(): { readonly count: number; readonly byChunk: ReadonlyMap<number, Buffer> } {
    const builders = new Map<number, VerdictBlockBuilder>();
    let count = 0;
    for (let at = 0; at < this.size; at++) {
      if (this.hitBlocks[at] === NONE) continue;
      count += 1;
      const chunk = this.chunks[at]!;
      const builder = builders.get(chunk) ?? new VerdictBlockBuilder();
      builders.set(chunk, builder);
      this.blocks[this.hitBlocks[at]!]!.copy(this.hitPlaces[at]!, builder, 0, this.offsets[at]!);
    }
    return { count, byChunk: new Map([...builders].map(([chunk, builder]) => [chunk, builder.toBuffer()])) };
  }

  private checkedAt(at: number): number {
    const block = this.hitBlocks[at]!;
    return block === NONE ? 0 : this.blocks[block]!.checkedAt(this.hitPlaces[at]!);
  }

  private hit(at: number, block: VerdictBlock, place: number): void {
    if (this.blocks.at(-1) !== block) this.blocks.push(block);
    this.hitBlocks[at] = this.blocks.length - 1;
    this.hitPlaces[at] = place;
  }

  private link(at: number): void {
    const bits = this.lows[at]! & this.mask();
    this.before[at] = this.last[bits]!;
    this.last[bits] = at;
  }

  private mask(): number {
    return this.last.length - 1;
  }

  private grow(): void {
    // Always a power of two.
    const slots = this.size * 2;
    const copy = <T extends Uint32Array | Int32Array | Int16Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.highs = copy(this.highs, new Uint32Array(slots));
    this.lows = copy(this.lows, new Uint32Array(slots));
    this.chunks = copy(this.chunks, new Int32Array(slots));
    this.offsets = copy(this.offsets, new Int16Array(slots));
    this.before = new Int32Array(slots);
    this.last = new Int32Array(slots).fill(NONE);
    for (let at = 0; at < this.size; at++) this.link(at);
    this.hitBlocks = copy(this.hitBlocks, new Int32Array(slots).fill(NONE));
    this.hitPlaces = copy(this.hitPlaces, new Int32Array(slots));
  }
}
