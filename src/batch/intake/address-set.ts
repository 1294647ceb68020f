/** Grown one after another: a table of a million rehashed at once would hold up everybody for 50 ms. */
const PARTS = 256;
const FIRST_SLOTS = 32;
/** Each address is moved once in three: by twos it was once. From 32 slots on a million ends at twice as many slots as there are addresses. */
const GROWTH = 4;

/**
 * Which addresses were seen, and where: 12 bytes for each instead of 100 for a string in a Map, so that a million take 24 MB. Two
 * addresses with the same 64 bits are taken for one: with a secret seed once in 30 million batches of a million.
 */
export class AddressSet {
  private readonly parts = Array.from({ length: PARTS }, () => new Part());
  /** Keeps the compiler from leaving out what `fetch` reads. */
  private fetched = 0;

  /** The place of the address with this hash, when it is known; else -1, and it is known from now on at `place`. */
  add(first: number, second: number, place: number): number {
    return this.parts[first >>> 24]!.add(first, second, place);
  }

  /**
   * Looks where the address with this hash would be. Looked at one after another, without anything to do in between, many places of
   * memory take hardly longer than one: the processor need not wait for each.
   */
  fetch(first: number): void {
    this.fetched ^= this.parts[first >>> 24]!.fetch(first);
  }
}

class Part {
  private slots = FIRST_SLOTS;
  /** Three to a slot, so that one look at the memory tells: both halves of the hash, and the place from 1; 0 is none. */
  private table = new Int32Array(FIRST_SLOTS * 3);
  private count = 0;

  add(first: number, second: number, place: number): number {
    const { table } = this;
    let at = (first & (this.slots - 1)) * 3;
    while (table[at + 2] !== 0) {
      if (table[at] === first && table[at + 1] === second) return table[at + 2]! - 1;
      at += 3;
      if (at === table.length) at = 0;
    }
    table[at] = first;
    table[at + 1] = second;
    table[at + 2] = place + 1;
    this.count += 1;
    if (this.count * 2 > this.slots) this.grow();
    return -1;
  }

  fetch(first: number): number {
    return this.table[(first & (this.slots - 1)) * 3]!;
  }

  private grow(): void {
    const { table } = this;
    this.slots *= GROWTH;
    this.table = new Int32Array(this.slots * 3);
    this.count = 0;
    for (let at = 0; at < table.length; at += 3)
      if (table[at + 2] !== 0) this.add(table[at]!, table[at + 1]!, table[at + 2]! - 1);
  }
}
