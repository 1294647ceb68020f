import { describe, expect, it } from 'vitest';
import { chunkOfRowRef, offsetOfRowRef, readRowRefs } from '../model/row-ref.js';
import type { ChunkBlock, RowBlock } from './blocks.js';
import { Packer } from './packer.js';
import { PlainRows } from '../formats/line-reader.js';

const operators = new Map([
  ['hotmail.test', 'outlook'],
  ['live.test', 'outlook'],
]);

const rowOf = (item: string) => ({ item, extraColumns: null });

function pack(emails: readonly string[]) {
  const packer = new Packer(operators, () => false);
  const rows: RowBlock[] = [];
  const chunks: ChunkBlock[] = [];
  const take = () => {
    const full = packer.takeFull();
    rows.push(...full.rows);
    chunks.push(...full.chunks);
  };
  for (const email of emails) {
    packer.add([rowOf(email)]);
    if (packer.holdsEnough) for (const _ of packer.packHeld(false)) take();
    take();
  }
  packer.close();
  take();
  const readable = chunks.map(({ items, ...rest }) => ({
    ...rest,
    items: JSON.parse(items.toString()) as string[],
  }));
  return { packer, rows, chunks: readable, byNumber: new Map(readable.map((chunk) => [chunk.number, chunk])) };
}

const refsOf = ({ rowRefs }: RowBlock) => [...readRowRefs(rowRefs)];

describe('Packer', () => {
  it('Packer puts a small batch into one chunk, and duplicates into it once', () => {
    const { packer, rows, chunks } = pack(['a@X.test', 'b@y.test', ' a@x.test ', 'A@x.test', 'a@x.TEST']);
    expect(chunks).toEqual([
      { number: 0, partition: 0, partitionedBy: 'operator', size: 3, items: ['a@X.test', 'b@y.test', 'A@x.test'] },
    ]);
    expect(rows.map(refsOf)).toEqual([[0, 1, 0, 2, 0]]);
    expect(rows.map(({ items }) => JSON.parse(items.toString()))).toEqual([{ 2: 'a@x.test', 4: 'a@x.TEST' }]);
    expect([packer.totalRows, packer.uniqueAddresses, packer.chunkCount]).toEqual([5, 3, 1]);
    expect([...packer.duplicates.byChunk()]).toEqual([[0, [0, 2]]]);
  });

  it('Packer gives every row the row ref of its address, and fills nearly all chunks', () => {
    const emails = Array.from({ length: 100_000 }, (_, i) => `u${i}@d${i % 700}.test`);
    const { rows, chunks, byNumber, packer } = pack(emails);
    const found = rows.flatMap(refsOf).map((ref) => byNumber.get(chunkOfRowRef(ref))!.items[offsetOfRowRef(ref)]);
    expect(found).toEqual(emails);
    expect(packer.chunkCount).toBe(chunks.length);
    expect(chunks.length).toBeLessThan(100 + 65);
    expect(new Set(chunks.map(({ number }) => number)).size).toBe(chunks.length);
  });

  it('Packer keeps each domain in one partition from the first address to the last, and a large domain in a partition of its own', () => {
    const emails = Array.from({ length: 60_000 }, (_, i) => `u${i}@${i % 3 === 0 ? 'large' : `d${i % 700}`}.test`);
    const { chunks } = pack(emails);
    const partitions = new Map<string, Set<number>>();
    for (const { partition, items } of chunks)
      for (const domain of items.map((email) => email.slice(email.indexOf('@') + 1)))
        partitions.set(domain, (partitions.get(domain) ?? new Set()).add(partition));
    expect([...partitions.values()].every(({ size }) => size === 1)).toBe(true);
    const [own] = partitions.get('large.test')!;
    expect([...partitions].filter(([, [partition]]) => partition === own)).toHaveLength(1);
    expect(new Set(chunks.map(({ partition }) => partition)).size).toBeLessThanOrEqual(65);
    for (const { partition, partitionedBy } of chunks)
      expect(partitionedBy).toBe(partition === own ? 'operator' : 'domain');
  });

  it('Packer keeps the consumer domains of an operator together', () => {
    const others = Array.from({ length: 70_000 }, (_, i) => `u${i}@d${i}.test`);
    const consumers = Array.from({ length: 500 }, (_, i) => `u${i}@${i % 2 ? 'live' : 'hotmail'}.test`);
    const { chunks } = pack([...others, ...consumers]);
    const theirs = chunks.filter(({ items }) => items.some((email) => /@(live|hotmail)\.test$/.test(email)));
    expect(new Set(theirs.map(({ partition }) => partition)).size).toBe(1);
  });

  it('Packer recognises an address however the body writes it', () => {
    const packer = new Packer(operators, () => false);
    const text = ' a"ä@X.Test,B@\u212a.test,a@x.test ';
    const bytes = Buffer.from(' a@X.test ');
    packer.add(text.split(',').map(rowOf));
    packer.add(new PlainRows(bytes, [1, 9, 1, 9]));
    packer.add(['a"ä@x.tEST', 'B@K.test', 'b@k.test', 'ä@k.test', '\ud800@k.test', '\ud801@k.test'].map(rowOf));
    packer.close();
    const [chunk] = packer.takeFull().chunks;
    expect(JSON.parse(chunk!.items.toString())).toEqual([
      'a"ä@X.Test',
      'B@\u212a.test',
      'a@x.test',
      'b@k.test',
      'ä@k.test',
      '\ud800@k.test',
      '\ud801@k.test',
    ]);
    expect([...packer.duplicates.byChunk()]).toEqual([[0, [0, 1, 1, 1, 2, 2]]]);
  });

  it('Packer distinguishes an address without a mailbox from a text without a domain', () => {
    expect(pack(['x', '@x', 'x@', 'x@y', 'xy@', 'y@x', '@xy']).packer.uniqueAddresses).toBe(7);
  });

  it('Packer packs the rows that it held a thousand at a time', () => {
    const packer = new Packer(operators, () => false);
    packer.add(Array.from({ length: 20_500 }, (_, i) => rowOf(`u${i}@d${i % 7}.test`)));
    expect(packer.holdsEnough).toBe(true);
    const steps: number[] = [];
    let packed = 0;
    for (const _ of packer.packHeld(false)) {
      steps.push(packer.uniqueAddresses - packed);
      packed = packer.uniqueAddresses;
    }
    expect(steps).toEqual([0, ...Array<number>(20).fill(1_000)]);
    expect(packer.uniqueAddresses).toBe(20_500);
  });
});
