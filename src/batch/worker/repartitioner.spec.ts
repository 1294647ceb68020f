import { describe, expect, it } from 'vitest';
import {
  chunkOfRowRef,
  encodeRowRef,
  offsetOfRowRef,
  readRowRefs,
  ROW_REF_BYTES,
  writeRowRef,
} from '../model/row-ref.js';
import { Repartitioner, type ChunkByDomain } from './repartition.service.js';

const written = (refs: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(refs.length * ROW_REF_BYTES);
  for (const [row, ref] of refs.entries()) writeRowRef(bytes, row, ref);
  return bytes;
};
const read = (bytes: Buffer): number[] => [...readRowRefs(bytes)];

/** Repartitions addresses, each with a domain of its own. @returns also the partition of each */
function byDomain(chunks: Readonly<Record<number, readonly string[]>>, partitionOf: (email: string) => number) {
  const partitions: number[] = [];
  const numberOf = (email: string) => partitions.push(partitionOf(email)) - 1;
  const all = Object.entries(chunks).map(([number, emails]): [number, ChunkByDomain] => [
    Number(number),
    { items: JSON.stringify(emails), domains: Int32Array.from(emails, numberOf), kept: null },
  ]);
  return { chunks: new Map(all), partitions };
}

function chunksOf(repartitioner: Repartitioner) {
  repartitioner.close();
  const chunks = repartitioner.takeFull().map(({ items, ...rest }) => ({
    ...rest,
    items: JSON.parse(items.toString()) as string[],
  }));
  expect(chunks).toHaveLength(repartitioner.made);
  return new Map(chunks.map((chunk) => [chunk.number, chunk]));
}

describe('Repartitioner', () => {
  it('Repartitioner moves items so that every row still finds its own, and each partition has them in the order of the rows', () => {
    const emails = Array.from({ length: 9_000 }, (_, i) => `ü"${i}@d${i % 50}.test`);
    const old = Object.fromEntries(
      Array.from({ length: 9 }, (_, chunk) => [chunk, emails.filter((_, i) => i % 9 === chunk)]),
    );
    const rows = written(emails.map((_, i) => encodeRowRef(i % 9, Math.floor(i / 9))));
    const partitionOf = (email: string) => Number(/@d(\d+)/.exec(email)![1]) % 4;
    const { chunks: before, partitions } = byDomain(old, partitionOf);
    const repartitioner = new Repartitioner(before, partitions, 20);
    expect(repartitioner.move(rows)).toBe(true);

    const chunks = chunksOf(repartitioner);
    const found = read(rows).map((ref) => chunks.get(chunkOfRowRef(ref))!.items[offsetOfRowRef(ref)]);
    expect(found).toEqual(emails);
    expect([...chunks.keys()].sort((a, b) => a - b)).toEqual(
      [...chunks.keys()].map((_, i) => 20 + i).sort((a, b) => a - b),
    );
    for (const partition of [0, 1, 2, 3]) {
      const ofPartition = [...chunks.values()]
        .filter((chunk) => chunk.partition === partition)
        .sort((a, b) => a.number - b.number);
      expect(ofPartition.flatMap((chunk) => chunk.items)).toEqual(
        emails.filter((email) => partitionOf(email) === partition),
      );
      for (const { size, items } of ofPartition) expect(items).toHaveLength(size);
    }
    expect([...repartitioner.duplicates.byChunk()]).toEqual([]);
  });

  it('Repartitioner counts the duplicates again, and leaves the rows of other chunks alone', () => {
    const { chunks, partitions } = byDomain({ 3: ['a@x.test', 'b@y.test'] }, () => 5);
    const repartitioner = new Repartitioner(chunks, partitions, 8);
    const rows = written([3_001, 1_007, 3_000, 3_001, 3_001]);
    expect(repartitioner.move(rows)).toBe(true);
    expect(read(rows)).toEqual([8_000, 1_007, 8_001, 8_000, 8_000]);
    const others = written([1_008, 2_000]);
    expect(repartitioner.move(others)).toBe(false);
    expect(read(others)).toEqual([1_008, 2_000]);
    expect([...repartitioner.duplicates.byChunk()]).toEqual([[8, [0, 2]]]);
    expect(chunksOf(repartitioner).get(8)).toEqual({
      kept: null,
      number: 8,
      partition: 5,
      partitionedBy: 'operator',
      size: 2,
      items: ['b@y.test', 'a@x.test'],
    });
  });
});
