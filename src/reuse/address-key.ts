import { hash, randomBytes } from 'node:crypto';
import { comparedForm } from '../platform/erased-address.js';

const KEY_BYTES = 32;
/** Enough for most addresses. */
const FIRST_BYTES = 1_024;
/** The truncated hash of an address under the key of an account. */
export interface AddressHash {
  readonly high: number;
  readonly low: number;
}

export function newAddressKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** The blocks of SHA-256, and what HMAC adds to the key in them (RFC 2104). */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER = 0x36;
const OUTER = 0x5c;

/**
 * Hashes addresses under a key of their account: without it nobody can try whether an address is among those that are kept. HMAC-SHA-256
 * is put together of Node's one-shot hashes here, because an object of `createHmac` for each of a million addresses costs three times as much.
 */
export class AddressKey {
  private inner: Buffer;
  /** The beginnings of `inner` by their length, because a new one for each address costs as much as half of a hash. */
  private beginnings: Buffer[] = [];
  private readonly outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, OUTER);

  /** @param secret as `newAddressKey` makes it */
  constructor(secret: string) {
    const key = Buffer.from(secret, 'base64');
    this.inner = Buffer.alloc(BLOCK_BYTES + FIRST_BYTES, INNER);
    for (const [i, byte] of key.entries()) {
      this.inner[i]! ^= byte;
      this.outer[i]! ^= byte;
    }
  }

  /** 64 bits of the HMAC-SHA-256: two addresses of one account in a million times a million have the same. */
  hash(address: string): AddressHash {
    const text = comparedForm(address);
    if (text.length * 3 > this.inner.length - BLOCK_BYTES) {
      this.inner = Buffer.concat([this.inner.subarray(0, BLOCK_BYTES), Buffer.alloc(text.length * 3)]);
      this.beginnings = [];
    }
    const end = BLOCK_BYTES + this.inner.write(text, BLOCK_BYTES);
    this.outer.write(hash('sha256', this.beginning(end), 'binary'), BLOCK_BYTES, 'latin1');
    const digest = hash('sha256', this.outer, 'binary');
    return { high: numberAt(digest, 0), low: numberAt(digest, 4) };
  }

  private beginning(end: number): Buffer {
    if (end > FIRST_BYTES) return this.inner.subarray(0, end);
    return (this.beginnings[end] ??= this.inner.subarray(0, end));
  }
}

/** Four bytes of a latin1 text as one number. */
function numberAt(text: string, at: number): number {
  const high = (text.charCodeAt(at) << 8) | text.charCodeAt(at + 1);
  return ((high << 16) | (text.charCodeAt(at + 2) << 8) | text.charCodeAt(at + 3)) >>> 0;
}
