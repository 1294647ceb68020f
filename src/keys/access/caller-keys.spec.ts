import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KEY_CACHE_MS, KeyCache, type KeyRow, type KeyLookupStore } from './caller-keys.js';

const HASH = Buffer.alloc(32, 1);
const OTHER = Buffer.alloc(32, 2);
const ROW = { id: 'k' } as KeyRow;

/** Reads that a test ends when it wants to. */
let reads: { hash: Buffer; end: (row: KeyRow | null) => void; fail: (error: Error) => void }[];
let cache: KeyCache;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  // lru-cache takes the time 0 for none.
  vi.advanceTimersByTime(1_000);
  reads = [];
  const findByHash = (hash: Buffer) =>
    new Promise<KeyRow | null>((end, fail) => {
      reads.push({ hash, end, fail });
    });
  cache = new KeyCache({ findByHash } as KeyLookupStore);
});

afterEach(() => void vi.useRealTimers());

/** The result of the read that begins now, or runs, when it ends with this value. */
async function found(row: KeyRow | null): Promise<KeyRow | null> {
  const asked = cache.find(HASH);
  reads.at(-1)!.end(row);
  return asked;
}

describe('the cache of keys', () => {
  it('the cache of keys reads a key once for many who ask at once', async () => {
    const asked = [cache.find(HASH), cache.find(HASH), cache.find(Buffer.from(HASH))];
    reads[0]!.end(ROW);
    expect(await Promise.all(asked)).toEqual([ROW, ROW, ROW]);
    expect(reads).toHaveLength(1);
  });

  it('the cache of keys keeps keys apart', async () => {
    await found(ROW);
    void cache.find(OTHER);
    expect(reads.map(({ hash }) => hash)).toEqual([HASH, OTHER]);
  });

  it('the cache of keys believes a read key for less than a second after the reading began', async () => {
    expect(KEY_CACHE_MS).toBeLessThan(1_000);
    void cache.find(HASH);
    vi.advanceTimersByTime(400);
    reads[0]!.end(ROW);
    vi.advanceTimersByTime(KEY_CACHE_MS - 400);
    await found(ROW);
    expect(reads).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await found(ROW);
    expect(reads).toHaveLength(2);
  });

  it('the cache of keys reads a forgotten key again, also when a reading was under way', async () => {
    await found(ROW);
    cache.forget([OTHER, HASH]);
    const stale = cache.find(HASH);
    cache.forget([HASH]);
    const fresh = cache.find(HASH);
    expect(reads).toHaveLength(3);
    const revoked = { ...ROW, revokedAt: new Date(0) };
    reads[2]!.end(revoked);
    reads[1]!.end(ROW);
    expect([await stale, await fresh]).toEqual([ROW, revoked]);
    expect(await cache.find(HASH)).toBe(revoked);
    expect(reads).toHaveLength(3);
  });

  it('the cache of keys keeps no token that was never given, and no failure', async () => {
    expect(await found(null)).toBeNull();
    expect(await found(ROW)).toBe(ROW);
    cache.forget([HASH]);
    const failed = cache.find(HASH);
    reads.at(-1)!.fail(new Error('away'));
    await expect(failed).rejects.toThrow('away');
    expect(await found(ROW)).toBe(ROW);
    expect(reads).toHaveLength(4);
  });
});
