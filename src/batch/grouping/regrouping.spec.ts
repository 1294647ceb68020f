import { describe, expect, it } from 'vitest';
import { CHUNK_SIZE } from '../intake/blocks.js';
import { Regrouping, type UngroupedChunk } from './regrouping.js';

const placesOf = (places: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(places.length * 4);
  for (const [i, place] of places.entries()) bytes.writeInt32LE(place, i * 4);
  return bytes;
};
const readPlaces = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readInt32LE(i * 4));

/** Each address has a domain of its own. @returns also the bucket of each */
function ungrouped(chunks: Readonly<Record<number, readonly string[]>>, bucketOf: (email: string) => number) {
  const buckets: number[] = [];
  const numberOf = (email: string) => buckets.push(bucketOf(email)) - 1;
  const all = Object.entries(chunks).map(([number, emails]): [number, UngroupedChunk] => [
    Number(number),
    { emails: JSON.stringify(emails), domains: Int32Array.from(emails, numberOf) },
  ]);
  return { chunks: new Map(all), buckets };
}

function textsOf(regrouping: Regrouping) {
  regrouping.close();
  const chunks = regrouping.takeFull().map(({ emails, ...rest }) => ({
    ...rest,
    emails: JSON.parse(emails.toString()) as string[],
  }));
  expect(chunks).toHaveLength(regrouping.made);
  return new Map(chunks.map((chunk) => [chunk.number, chunk]));
}

describe('addresses that are put into other chunks', () => {
  it('are found by every row, and lie in the order of the rows within their bucket', () => {
    const emails = Array.from({ length: 9_000 }, (_, i) => `ü"${i}@d${i % 50}.test`);
    const old = Object.fromEntries(
      Array.from({ length: 9 }, (_, chunk) => [chunk, emails.filter((_, i) => i % 9 === chunk)]),
    );
    const rows = placesOf(emails.map((_, i) => (i % 9) * CHUNK_SIZE + Math.floor(i / 9)));
    const bucketOf = (email: string) => Number(/@d(\d+)/.exec(email)![1]) % 4;
    const { chunks: before, buckets } = ungrouped(old, bucketOf);
    const regrouping = new Regrouping(before, buckets, 20);
    expect(regrouping.move(rows)).toBe(true);

    const chunks = textsOf(regrouping);
    const found = readPlaces(rows).map(
      (place) => chunks.get(Math.floor(place / CHUNK_SIZE))!.emails[place % CHUNK_SIZE],
    );
    expect(found).toEqual(emails);
    expect([...chunks.keys()].sort((a, b) => a - b)).toEqual(
      [...chunks.keys()].map((_, i) => 20 + i).sort((a, b) => a - b),
    );
    for (const bucket of [0, 1, 2, 3]) {
      const ofBucket = [...chunks.values()]
        .filter((chunk) => chunk.bucket === bucket)
        .sort((a, b) => a.number - b.number);
      expect(ofBucket.flatMap((chunk) => chunk.emails)).toEqual(emails.filter((email) => bucketOf(email) === bucket));
      for (const { size, emails: some } of ofBucket) expect(some).toHaveLength(size);
    }
    expect([...regrouping.repeats.byChunk()]).toEqual([]);
  });

  it('answer as many rows as before, and leave the rows of other chunks alone', () => {
    const { chunks, buckets } = ungrouped({ 3: ['a@x.test', 'b@y.test'] }, () => 5);
    const regrouping = new Regrouping(chunks, buckets, 8);
    const rows = placesOf([3_001, 1_007, 3_000, 3_001, 3_001]);
    expect(regrouping.move(rows)).toBe(true);
    expect(readPlaces(rows)).toEqual([8_000, 1_007, 8_001, 8_000, 8_000]);
    const others = placesOf([1_008, 2_000]);
    expect(regrouping.move(others)).toBe(false);
    expect(readPlaces(others)).toEqual([1_008, 2_000]);
    expect([...regrouping.repeats.byChunk()]).toEqual([[8, [0, 2]]]);
    expect(textsOf(regrouping).get(8)).toEqual({ number: 8, bucket: 5, size: 2, emails: ['b@y.test', 'a@x.test'] });
  });
});
