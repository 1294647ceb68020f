import { randomBytes } from 'node:crypto';

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
