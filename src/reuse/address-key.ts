import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { comparedForm } from '../platform/addresses/compared-form.js';

const KEY_BYTES = 32;
/** The truncated hash of an address under the key of an account. */
export interface AddressHash {
  readonly high: number;
  readonly low: number;
}

export function newAddressKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** Hashes addresses under a key of their account: without it nobody can try whether an address is among those that are kept. */
export class AddressKey {
  private readonly key: KeyObject;

  /** @param secret as `newAddressKey` makes it */
  constructor(secret: string) {
    this.key = createSecretKey(secret, 'base64');
  }

  /** 64 bits of the HMAC-SHA-256: two addresses of one account in a million times a million have the same. */
  hash(address: string): AddressHash {
    const digest = createHmac('sha256', this.key).update(comparedForm(address)).digest();
    return { high: digest.readUInt32BE(0), low: digest.readUInt32BE(4) };
  }
}
