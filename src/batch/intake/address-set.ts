import { randomBytes } from 'node:crypto';

/**
 * Which addresses were seen, and where: 12 bytes for each instead of 100 for a string in a Map, so that a million take 24 MB. Two
 * addresses with the same 64 bits would be taken for one: with a secret seed once in 30 million batches of a million.
 */
export class AddressSet {
  private readonly seed = randomBytes(4).readUInt32LE();
  private slots = 4096;
  private first = new Uint32Array(this.slots);
  private second = new Uint32Array(this.slots);
  private places = new Int32Array(this.slots).fill(-1);
  private count = 0;

  /**
   * The place of `local` up to `end` and `domain`, when they are known; else -1, and they are known from now on at `place`. In two
   * parts, because a text put together for a million addresses is work for the garbage collector.
   */
  add(local: string, end: number, domain: string, place: number): number {
    let a = this.seed | 0;
    let b = 0x9e3779b9 ^ this.seed;
    const length = end + domain.length;
    for (let i = 0; i < length; i++) {
      const unit = i < end ? local.charCodeAt(i) : domain.charCodeAt(i - end);
      a = Math.imul(a ^ unit, 0x85ebca6b);
      a = (a << 13) | (a >>> 19);
      b = Math.imul(b ^ unit, 0xc2b2ae35);
      b = (b << 17) | (b >>> 15);
    }
    return this.addHash(mixed(a ^ length) >>> 0, mixed(b + Math.imul(a, 5)) >>> 0, place);
  }

  private addHash(a: number, b: number, place: number): number {
    let slot = a & (this.slots - 1);
    while (this.places[slot] !== -1) {
      if (this.first[slot] === a && this.second[slot] === b) return this.places[slot]!;
      slot = (slot + 1) & (this.slots - 1);
    }
    this.first[slot] = a;
    this.second[slot] = b;
    this.places[slot] = place;
    this.count += 1;
    if (this.count * 2 > this.slots) this.grow();
    return -1;
  }

  private grow(): void {
    const { first, second, places } = this;
    this.slots *= 2;
    this.first = new Uint32Array(this.slots);
    this.second = new Uint32Array(this.slots);
    this.places = new Int32Array(this.slots).fill(-1);
    this.count = 0;
    for (let i = 0; i < places.length; i++) if (places[i] !== -1) this.addHash(first[i]!, second[i]!, places[i]!);
  }
}

function mixed(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
