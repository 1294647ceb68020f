import { describe, expect, it } from 'vitest';
import { CHUNK_SIZE, type ChunkBlock, type RowBlock } from './blocks.js';
import { Packer } from './packer.js';
import { PlainRows } from './plain-rows.js';

const operators = new Map([
  ['hotmail.test', 'outlook'],
  ['live.test', 'outlook'],
]);

const rowOf = (email: string) => ({ email, cells: null });

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
    packer.add([rowOf(email)]);
    if (packer.holdsEnough) for (const _ of packer.placeHeld(false)) take();
    take();
  }
  packer.close();
  take();
  const readable = chunks.map(({ emails, ...rest }) => ({
    ...rest,
    emails: JSON.parse(emails.toString()) as string[],
  }));
  return { packer, rows, chunks: readable, byNumber: new Map(readable.map((chunk) => [chunk.number, chunk])) };
}

const placesOf = ({ places }: RowBlock) =>
  Array.from({ length: places.length / 4 }, (_, i) => places.readInt32LE(i * 4));

describe('Packer', () => {
  it('puts a small batch into one chunk, and repeated addresses into it once', () => {
    const { packer, rows, chunks } = pack(['a@X.test', 'b@y.test', ' a@x.test ', 'A@x.test', 'a@x.TEST']);
    expect(chunks).toEqual([{ number: 0, bucket: 0, size: 3, emails: ['a@X.test', 'b@y.test', 'A@x.test'] }]);
    expect(rows.map(placesOf)).toEqual([[0, 1, 0, 2, 0]]);
    expect(rows.map(({ emails }) => JSON.parse(emails.toString()))).toEqual([{ 2: 'a@x.test', 4: 'a@x.TEST' }]);
    expect([packer.totalRows, packer.uniqueAddresses, packer.chunkCount]).toEqual([5, 3, 1]);
    expect([...packer.repeats.byChunk()]).toEqual([[0, [0, 2]]]);
  });

  it('tells of every row where its address is, and wastes few chunks', () => {
    const emails = Array.from({ length: 100_000 }, (_, i) => `u${i}@d${i % 700}.test`);
    const { rows, chunks, byNumber, packer } = pack(emails);
    const found = rows
      .flatMap(placesOf)
      .map((place) => byNumber.get(Math.floor(place / CHUNK_SIZE))!.emails[place % CHUNK_SIZE]);
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

  it('knows an address again whichever way it was written in the body', () => {
    const packer = new Packer(operators);
    const text = ' a"ä@X.Test,B@\u212a.test,a@x.test ';
    const bytes = Buffer.from(' a@X.test ');
    packer.add(text.split(',').map(rowOf));
    packer.add(new PlainRows(bytes, [1, 9, 1, 9]));
    packer.add(['a"ä@x.tEST', 'B@K.test', 'b@k.test', 'ä@k.test', '\ud800@k.test', '\ud801@k.test'].map(rowOf));
    packer.close();
    const [chunk] = packer.takeFull().chunks;
    expect(JSON.parse(chunk!.emails.toString())).toEqual([
      'a"ä@X.Test',
      'B@\u212a.test',
      'a@x.test',
      'b@k.test',
      'ä@k.test',
      '\ud800@k.test',
      '\ud801@k.test',
    ]);
    expect([...packer.repeats.byChunk()]).toEqual([[0, [0, 1, 1, 1, 2, 2]]]);
  });

  it('tells an address without a mailbox from a text without a domain', () => {
    expect(pack(['x', '@x', 'x@', 'x@y', 'xy@', 'y@x', '@xy']).packer.uniqueAddresses).toBe(7);
  });

  it('places what it held a thousand rows at a time', () => {
    const packer = new Packer(operators);
    packer.add(Array.from({ length: 20_500 }, (_, i) => rowOf(`u${i}@d${i % 7}.test`)));
    expect(packer.holdsEnough).toBe(true);
    const steps: number[] = [];
    let placed = 0;
    for (const _ of packer.placeHeld(false)) {
      steps.push(packer.uniqueAddresses - placed);
      placed = packer.uniqueAddresses;
    }
    expect(steps).toEqual([0, ...Array<number>(20).fill(1_000)]);
    expect(packer.uniqueAddresses).toBe(20_500);
  });
});
