import { describe, expect, it } from 'vitest';
import { CHUNK_SIZE, type ChunkBlock, Packer, type RowBlock } from './packer.js';

const operators = new Map([
  ['hotmail.test', 'outlook'],
  ['live.test', 'outlook'],
]);

function pack(emails: readonly string[]) {
  const packer = new Packer(operators);
  const rows: RowBlock[] = [];
  const chunks: ChunkBlock[] = [];
  const take = () => {
    const full = packer.takeFull();
    rows.push(...full.rows);
    chunks.push(...full.chunks);
  };
  for (const email of emails) {
    packer.add({ email, cells: null });
    take();
  }
  packer.close();
  take();
  return { packer, rows, chunks, byNumber: new Map(chunks.map((chunk) => [chunk.number, chunk])) };
}

describe('Packer', () => {
  it('puts a small batch into one chunk, and repeated addresses into it once', () => {
    const { packer, rows, chunks } = pack(['a@X.test', 'b@y.test', ' a@x.test ', 'A@x.test', 'a@x.TEST']);
    expect(chunks).toEqual([{ number: 0, bucket: 0, emails: ['a@X.test', 'b@y.test', 'A@x.test'] }]);
    expect(rows).toEqual([
      {
        number: 0,
        emails: ['a@X.test', 'b@y.test', ' a@x.test ', 'A@x.test', 'a@x.TEST'],
        places: [0, 1, 0, 2, 0],
        cells: null,
      },
    ]);
    expect([packer.totalRows, packer.uniqueAddresses, packer.chunkCount]).toEqual([5, 3, 1]);
    expect([...packer.repeats()]).toEqual([[0, [0, 2]]]);
  });

  it('tells of every row where its address is, and wastes few chunks', () => {
    const emails = Array.from({ length: 100_000 }, (_, i) => `u${i}@d${i % 700}.test`);
    const { rows, chunks, byNumber, packer } = pack(emails);
    const found = rows.flatMap(({ places }) =>
      places.map((place) => byNumber.get(Math.floor(place / CHUNK_SIZE))!.emails[place % CHUNK_SIZE]),
    );
    expect(found).toEqual(emails);
    expect(packer.chunkCount).toBe(chunks.length);
    expect(chunks.length).toBeLessThan(100 + 65);
    expect(new Set(chunks.map(({ number }) => number)).size).toBe(chunks.length);
  });

  it('keeps each domain in one bucket from the first address to the last, and a large one in a bucket of its own', () => {
    const emails = Array.from({ length: 60_000 }, (_, i) => `u${i}@${i % 3 === 0 ? 'large' : `d${i % 700}`}.test`);
    const { chunks } = pack(emails);
    const buckets = new Map<string, Set<number>>();
    for (const { bucket, emails: some } of chunks)
      for (const domain of some.map((email) => email.slice(email.indexOf('@') + 1)))
        buckets.set(domain, (buckets.get(domain) ?? new Set()).add(bucket));
    expect([...buckets.values()].every(({ size }) => size === 1)).toBe(true);
    const [own] = buckets.get('large.test')!;
    expect([...buckets].filter(([, [bucket]]) => bucket === own)).toHaveLength(1);
    expect(new Set(chunks.map(({ bucket }) => bucket)).size).toBeLessThanOrEqual(65);
  });

  it('keeps the consumer domains of an operator together', () => {
    const others = Array.from({ length: 70_000 }, (_, i) => `u${i}@d${i}.test`);
    const consumers = Array.from({ length: 500 }, (_, i) => `u${i}@${i % 2 ? 'live' : 'hotmail'}.test`);
    const { chunks } = pack([...others, ...consumers]);
    const theirs = chunks.filter(({ emails }) => emails.some((email) => /@(live|hotmail)\.test$/.test(email)));
    expect(new Set(theirs.map(({ bucket }) => bucket)).size).toBe(1);
  });
});
