import { describe, expect, it } from 'vitest';
import { addressHash } from './suppression-hash.js';

describe('the hash of an address', () => {
  it('the hash of an address is the same for every spelling and tag of it', () => {
    const plain = addressHash('jane.doe@bücher.example');
    for (const other of [
      ' Jane.Doe@BÜCHER.example ',
      'jane.doe+news@xn--bcher-kva.example',
      'jane.doe+a+b@bücher.example',
    ])
      expect(addressHash(other)).toEqual(plain);
    expect(addressHash('+jane.doe@bücher.example')).not.toEqual(plain);
    expect(addressHash('+a+b@x.example')).toEqual(addressHash('+a@x.example'));
  });

  it.each(['jane', '@example.com', 'jane@', 'jane@exa mple.com', `jane@${'ü'.repeat(256)}`])(
    'there is none of %s',
    (text) => {
      expect(addressHash(text)).toBeNull();
    },
  );

  // With a cost that grows by the square, each of these would take minutes.
  it.each([
    ['a million signs of a tag and then a line feed', `${'+'.repeat(1_000_000)}\n@example.com`],
    ['a domain of a million letters of many scripts', `jane@${'üжع漢'.repeat(250_000)}`],
  ])('the hash of an address takes no longer than its length for %s', (_, text) => {
    expect(() => addressHash(text)).not.toThrow();
  });
});
