import { describe, expect, it } from 'vitest';
import { parseIdempotencyKey } from './idempotency.interceptor.js';

describe('an idempotency key', () => {
  it.each([
    ['bare', 'order-1', 'order-1'],
    ['quoted', '"order-1"', 'order-1'],
    ['with escapes', String.raw`"a\"b\\c"`, String.raw`a"b\c`],
    ['with spaces around it', '  k ', 'k'],
    ['of 255 characters', 'x'.repeat(255), 'x'.repeat(255)],
    ['of 255 characters in quotes', `"${'x'.repeat(255)}"`, 'x'.repeat(255)],
    ['with a quote inside', 'a"b', 'a"b'],
  ])('an idempotency key may be %s', (_, field, key) => {
    expect(parseIdempotencyKey(field)).toBe(key);
  });

  it.each([
    ['empty', ''],
    ['empty in quotes', '""'],
    ['only spaces', '   '],
    ['too long', 'x'.repeat(256)],
    ['with a space', 'a b'],
    ['with a space in quotes', '"a b"'],
    ['with an open quote', '"a'],
    ['with parameters', '"a";p=1'],
    ['beyond ASCII', 'schlüssel'],
    ['with a control character', 'a\u0001b'],
    ['sent twice', ['a', 'b']],
  ])('an idempotency key may not be %s', (_, field) => {
    expect(() => parseIdempotencyKey(field)).toThrow(expect.objectContaining({ code: 'malformed_header' }));
  });
});
