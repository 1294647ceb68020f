import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { AddressKey, newAddressKey } from './address-key.js';

it.each(['jane@example.com', 'j\u00f6rg@b\u00fccher.example', '', `${'x'.repeat(999)}@`, 'a'])(
  'the hash of "%s" is the beginning of its HMAC-SHA-256, also after a longer one',
  (address) => {
    const secret = newAddressKey();
    const key = new AddressKey(secret);
    key.hash('y'.repeat(500));
    const digest = createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(address.replace('b\u00fccher', 'xn--bcher-kva'))
      .digest();
    expect(key.hash(address)).toEqual({ high: digest.readUInt32BE(0), low: digest.readUInt32BE(4) });
    expect(key.hash(address.toUpperCase())).toEqual(key.hash(address));
  },
);
