import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenAddressPromise } from '../../../test/support/address-promises.js';
import { parseAddress } from './address.js';

/** A fixed seed gives every run the same inputs: the fuzzer looks for new ones. */
fc.configureGlobal({ seed: 5321 });

const KEPT = 'test/corpus/fuzz/address';

const broken = (input: string): string | null => brokenAddressPromise(input, parseAddress(input));

/** Text of any UTF-16 units, lone surrogates included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
const graphemes = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const nearlyAddress = fc
  .array(
    fc.oneof(
      fc.constantFrom('@', '.', '"', '\\', '<', '>', '[', ']', 'IPv6:', 'xn--', 'mailto:', '%', 'com'),
      graphemes,
    ),
  )
  .map((parts) => parts.join(''));
const quotedLocalPart = fc.string({ unit: 'binary-ascii', maxLength: 30 }).map((text) => JSON.stringify(text));
const domain = fc.oneof(
  fc.domain(),
  graphemes.map((label) => `${label}.com`),
  fc.ipV6().map((ip) => `[IPv6:${ip}]`),
);

describe('parseAddress, for any input', () => {
  it.each([
    ['any UTF-16 units', anyText],
    ['pieces of addresses', nearlyAddress],
    ['real-looking addresses', fc.emailAddress()],
    ['local parts of any script', fc.tuple(graphemes, domain).map((parts) => parts.join('@'))],
    ['quoted local parts', fc.tuple(quotedLocalPart, domain).map((parts) => parts.join('@'))],
    ['addresses at a glance', fc.stringMatching(/^[a-z0-9._+-]{1,65}@[a-z0-9.-]{1,20}\.[a-z0-9]{1,4}$/)],
    ['domains of any script', graphemes.map((label) => `user@${label}.рф`)],
  ])('parseAddress, for any input keeps its promises: %s', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (input) => {
        expect(broken(input)).toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });

  it('parseAddress, for any input accepts every address of an ordinary generator', () => {
    fc.assert(
      fc.property(fc.emailAddress({ size: 'small' }), (input) => {
        expect(parseAddress(input)).toMatchObject({ ok: true });
      }),
      { numRuns: 1_000 },
    );
  });

  it('parseAddress, for any input refuses every control character at every position', () => {
    const control = fc.constantFrom(
      ...Array.from({ length: 160 }, (_, code) => code).filter((code) => code < 32 || code > 126),
    );
    fc.assert(
      fc.property(control, fc.integer({ min: 1, max: 15 }), (code, at) => {
        const text = 'user@example.com';
        const parsed = parseAddress(`${text.slice(0, at)}${String.fromCharCode(code)}${text.slice(at)}`);
        // U+00A0 upwards is no control character; up to U+009F all are.
        expect(parsed).toMatchObject({ ok: false, problem: 'control_character' });
      }),
    );
  });

  it('parseAddress, for any input does not look into input that is far too long', () => {
    const pieces = ['a', '@', '"', '<', '\\', 'a.', ' ', '%', 'xn--', 'é', '\u0301', '\ud800', '\0'];
    for (const piece of pieces) {
      const input = piece.repeat(100_000 / piece.length);
      expect(parseAddress(input)).toEqual({ ok: false, given: input, problem: 'too_long' });
    }
  });

  it('parseAddress, for any input keeps its promises for every input that the fuzzer once broke', () => {
    const files = existsSync(KEPT) ? readdirSync(KEPT).filter((file) => file.endsWith('.json')) : [];
    const inputs = files.map(
      (file) => (JSON.parse(readFileSync(`${KEPT}/${file}`, 'utf8')) as { input: string }).input,
    );
    expect(inputs.map(broken).filter((fault) => fault !== null)).toEqual([]);
  });
});
