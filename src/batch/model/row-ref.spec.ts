import { expect, it } from 'vitest';
import {
  CHUNK_SIZE,
  chunkOfRowRef,
  encodeRowRef,
  offsetOfRowRef,
  readRowRef,
  readRowRefs,
  ROW_REF_BYTES,
  writeRowRef,
} from './row-ref.js';

it('a chunk has 1,000 items, because stored row refs, offsets and blocks count with this number', () => {
  expect(CHUNK_SIZE).toBe(1_000);
});

it('the numbers of 1,000 results fit the 16 bits that the decoder of results has for their positions', () => {
  expect(7 * (CHUNK_SIZE - 1) + 1).toBeLessThan(2 ** 16);
});

it.each([
  [0, 0, 0],
  [0, 999, 999],
  [1, 0, 1_000],
  [2_147_483, 646, 2_147_483_646],
])('the row ref of chunk %i and offset %i is %i, and decodes to both', (chunk, offset, ref) => {
  expect(encodeRowRef(chunk, offset)).toBe(ref);
  expect([chunkOfRowRef(ref), offsetOfRowRef(ref)]).toEqual([chunk, offset]);
});

it('row refs are stored as four bytes each, the lowest first', () => {
  const bytes = Buffer.alloc(2 * ROW_REF_BYTES);
  writeRowRef(bytes, 0, 1_002);
  writeRowRef(bytes, 1, 70_000);
  expect([...bytes]).toEqual([0xea, 0x03, 0, 0, 0x70, 0x11, 0x01, 0]);
  expect(readRowRef(bytes, 1)).toBe(70_000);
  expect([...readRowRefs(bytes)]).toEqual([1_002, 70_000]);
});
