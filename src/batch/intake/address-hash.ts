import { randomBytes } from 'node:crypto';

/** Stands between domain and mailbox, as no byte does: `x` and `@x` differ. */
const SEPARATOR = 256;
const LOWER = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte));

/** 64 bits of an address, with a secret seed: nobody can send two that are taken for one. The domain counts in lower case. */
export class AddressHash {
  /** First half, second half, and the domain's own, of each place: numbers in a typed array cost no allocation. */
  readonly values: Int32Array;
  private readonly seed = randomBytes(4).readInt32LE();
  private a = 0;
  private b = 0;

  /** @param places how many addresses are remembered */
  constructor(places: number) {
    this.values = new Int32Array(places * 3);
  }

  /** Reads an address and remembers it at `place`. */
  read(bytes: Uint8Array, from: number, to: number, place: number): void {
    let domainFrom = to;
    while (domainFrom > from && bytes[domainFrom - 1] !== 0x40) domainFrom--;
    this.values[place * 3 + 2] = this.ofDomain(bytes, domainFrom, to);
    let { a, b } = this;
    for (let i = from; i < domainFrom; i++) {
      const byte = bytes[i]!;
      a = Math.imul(a ^ byte, 0x85ebca6b);
      a = (a << 13) | (a >>> 19);
      b = Math.imul(b ^ byte, 0xc2b2ae35);
      b = (b << 17) | (b >>> 15);
    }
    this.values[place * 3] = mixed(a ^ (to - from));
    this.values[place * 3 + 1] = mixed(b + Math.imul(a, 5));
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
