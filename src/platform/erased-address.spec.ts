import { describe, expect, it } from 'vitest';
import { ErasedAddress } from './erased-address.js';

describe('an address that is erased', () => {
  const address = new ErasedAddress('Jane.Doe@Bücher.example');

  it.each(['jane.doe@bücher.example', ' JANE.DOE@XN--BCHER-KVA.example ', 'Jane.Doe@bu\u0308cher.example'])(
    'an address that is erased is known in every spelling: %s',
    (text) => expect(address.is(text)).toBe(true),
  );

  it.each(['jane.doe+news@bücher.example', 'doe@bücher.example', 'jane.doe@bücher.example.org', ''])(
    'an address that is erased is not taken for another one: %s',
    (text) => expect(address.is(text)).toBe(false),
  );

  it.each([
    '550 <Jane.Doe@xn--bcher-kva.example>: no such user',
    'https://x.example/?to=jane.doe%40b\u00fccher.example&a=1',
    'ask jane.doe@bücher.example.',
    '["Jane"]jane.doe@bücher.example',
    '{"to":"\\u003cjane.doe@bücher.example\\u003e"}',
    String.raw`"unknown:\njane.doe@bücher.example"`,
    'to=%3Cjane.doe%40xn--bcher-kva.example%3E',
  ])('an address that is erased is found within a text: %s', (text) => expect(address.isIn(text)).toBe(true));

  it.each([
    'mary-jane.doe@bücher.example',
    'x.jane.doe@bücher.example',
    'x%2Bjane.doe%40bücher.example',
    '%C3%A4jane.doe%40bücher.example',
    String.raw`x\u002Bjane.doe@bücher.example`,
    'jane.doe@bücher.example.org',
    'jane.doe@bücher.examples',
  ])('an address that is erased is not found within a longer one: %s', (text) =>
    expect(address.isIn(text)).toBe(false),
  );

  it('an address that is erased is looked for by patterns that leave nothing to chance where PostgreSQL folds letters in another way', () => {
    expect(address.patterns).toEqual([
      '%jane.doe@%',
      '%jane.doe\\%40%',
      '%jane.doe @%',
      '%jane.doe%"@%',
      '%jane.doe(%)@%',
    ]);
    expect(new ErasedAddress('a_b%c@x.example').patterns[0]).toBe('%a\\_b\\%c@%');
    const ofDomain = ['%@x.example%', '%\\%40x.example%', '% @x.example%', '%@ x.example%', '% @ x.example%'];
    expect(new ErasedAddress('jäne@x.example').patterns).toEqual(ofDomain);
    expect(new ErasedAddress('"jane doe"@x.example').patterns).toEqual(ofDomain);
    expect(new ErasedAddress('jäne@bücher.example').patterns).toEqual(
      expect.arrayContaining([
        '%@xn--bcher-kva.example%',
        '%\\%40xn--bcher-kva.example%',
        '%@b%cher.example%',
        '%\\%40b%cher.example%',
      ]),
    );
  });

  it.each([
    'jane.doe @bücher.example',
    'Jane.Doe @ xn--bcher-kva.example',
    'jane.doe(of sales)@bücher.example',
    '(jane.doe@bücher.example)@x.example',
    '"Jane.Doe"@bücher.example',
    JSON.stringify(['"Jane.Doe"@bücher.example']),
  ])('an address that is erased is found with quotes, spaces and comments: %s', (text) =>
    expect(address.isIn(text)).toBe(true),
  );

  it.each(['mary-jane.doe @bücher.example', 'x.jane.doe(c)@bücher.example', 'mary-"jane.doe"@bücher.example'])(
    'an address that is erased is not found within a longer one with quotes, spaces and comments: %s',
    (text) => expect(address.isIn(text)).toBe(false),
  );
});
