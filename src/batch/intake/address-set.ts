import { randomBytes } from 'node:crypto';
import type { RowRef } from '../model/row-ref.js';

/** The separator that is hashed between domain and mailbox; no byte has this value, so `x` and `@x` differ. */
const SEPARATOR = 256;
const LOWER = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte));

/** Hashes addresses to 64 bits, with a secret seed: nobody can construct two addresses that count as one. The domain is hashed in lower case. */
export class AddressHash {
  /** Three numbers a slot: both halves of the hash, and the domain's hash. Numbers in a typed array need no allocation. */
  readonly values: Int32Array;
  private readonly seed = randomBytes(4).readInt32LE();
  private a = 0;
  private b = 0;

  /** @param slots how many hashes are kept */
  constructor(slots: number) {
    this.values = new Int32Array(slots * 3);
  }

  /** Hashes an address into a slot. */
  read(bytes: Uint8Array, from: number, to: number, slot: number): void {
    let domainFrom = to;
    while (domainFrom > from && bytes[domainFrom - 1] !== 0x40) domainFrom--;
    this.values[slot * 3 + 2] = this.ofDomain(bytes, domainFrom, to);
    let { a, b } = this;
    for (let i = from; i < domainFrom; i++) {
      const byte = bytes[i]!;
      a = Math.imul(a ^ byte, 0x85ebca6b);
      a = (a << 13) | (a >>> 19);
      b = Math.imul(b ^ byte, 0xc2b2ae35);
      b = (b << 17) | (b >>> 15);
    }
    this.values[slot * 3] = mixed(a ^ (to - from));
    this.values[slot * 3 + 1] = mixed(b + Math.imul(a, 5));
  }

  ofDomain(bytes: Uint8Array, from: number, to: number): number {
    let a = this.seed;
    let b = 0x9e3779b9 ^ this.seed;
    for (let i = from; i <= to; i++) {
      const unit = i === to ? SEPARATOR : LOWER[bytes[i]!]!;
      a = Math.imul(a ^ unit, 0x85ebca6b);
      a = (a << 13) | (a >>> 19);
      b = Math.imul(b ^ unit, 0xc2b2ae35);
      b = (b << 17) | (b >>> 15);
    }
    this.a = a;
    this.b = b;
    return mixed(a);
  }
}

function mixed(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** The parts grow one after another: to rehash a table of a million at once would hold up the event loop. */
const PARTS = 256;
const FIRST_SLOTS = 32;
/** Growth by four moves an address a third as often as growth by two. From 32 slots on, a million ends at twice as many slots as addresses. */
const GROWTH = 4;

/**
 * The addresses that were seen, by 64 bits of hash, with the row ref of each: 12 bytes an address, where a string in a Map takes
 * some 100. Two addresses with the same 64 bits count as one: with a secret seed that is too rare to matter, even in batches of a
 * million.
 */
export class AddressSet {
  /** A part is made when its first address comes: a batch of 25 would be longer at making all than at its addresses. */
  private readonly parts: (Part | null)[] = Array.from({ length: PARTS }, () => null);
  /** `fetch` writes it, so that the compiler keeps its reads. */
  private fetched = 0;

  /** @returns the row ref of the address when the set has it; else -1, after adding it with `ref` */
  add(first: number, second: number, ref: RowRef): RowRef {
    return (this.parts[first >>> 24] ??= new Part()).add(first, second, ref);
  }

  /**
   * Reads the memory where `add` will look for this hash. The processor performs independent reads together, so that the
   * following calls of `add` do not wait for memory one by one.
   */
  fetch(first: number): void {
    this.fetched ^= this.parts[first >>> 24]?.fetch(first) ?? 0;
  }
}

class Part {
  private slots = FIRST_SLOTS;
  /** Three numbers a slot, so that one read of memory gets all: both halves of the hash, and the row ref plus 1; 0 is an empty slot. */
  private table = new Int32Array(FIRST_SLOTS * 3);
  private count = 0;

  add(first: number, second: number, ref: RowRef): RowRef {
    const { table } = this;
    let at = (first & (this.slots - 1)) * 3;
    while (table[at + 2] !== 0) {
      if (table[at] === first && table[at + 1] === second) return table[at + 2]! - 1;
      at += 3;
      if (at === table.length) at = 0;
    }
    table[at] = first;
    table[at + 1] = second;
    table[at + 2] = ref + 1;
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
