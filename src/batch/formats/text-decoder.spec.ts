import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../platform/errors/app-error.js';
import { utf8Pieces } from './text-decoder.js';

async function* cut(bytes: Buffer, lengths: readonly number[]) {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const length = lengths[i % lengths.length]!;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

async function pieces(bytes: Buffer, lengths: readonly number[]): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const piece of utf8Pieces(cut(bytes, lengths))) all.push(piece);
  return all;
}

const lengths = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 });

describe('utf8Pieces', () => {
  it('utf8Pieces gives the same bytes on in whole characters, however they are cut, without a byte order mark', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.boolean(), lengths, async (text, isMarked, cuts) => {
        const bare = text.replace(/^\uFEFF/, '');
        const found = await pieces(Buffer.from((isMarked ? '\uFEFF' : '') + bare), cuts);
        expect(found.every((piece) => isUtf8(piece))).toBe(true);
        expect(Buffer.concat(found).toString()).toBe(bare);
      }),
    ));

  it('utf8Pieces refuses exactly what is not UTF-8, however it is cut', () => {
    const byte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f));
    return fc.assert(
      fc.asyncProperty(fc.array(byte, { maxLength: 8 }), lengths, async (list, cuts) => {
        const bytes = Buffer.from(list);
        if (isUtf8(bytes)) await pieces(bytes, cuts);
        else await expect(pieces(bytes, cuts)).rejects.toThrow(AppError);
      }),
      { numRuns: 2_000 },
    );
  });
});
