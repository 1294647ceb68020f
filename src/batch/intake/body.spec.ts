import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { type SentBody, unpacked } from './body.js';

it('a body that is here at once leaves the event loop a turn after every 16 KiB', async () => {
  const stream = Readable.from([Buffer.alloc(200_000, 'a'), Buffer.alloc(10, 'b')]);
  const body: SentBody = { stream, contentType: 'text/plain', contentEncoding: '' };
  let turns = 0;
  const turn = () => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const seen: number[] = [];
  let length = 0;
  for await (const piece of unpacked(body)) {
    expect(piece.length).toBeLessThanOrEqual(16_384);
    length += piece.length;
    seen.push(turns);
  }
  clearImmediate(next);
  expect(length).toBe(200_010);
  expect(new Set(seen).size).toBe(seen.length);
});
