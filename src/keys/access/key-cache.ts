import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { KeyLookupStore, type KeyRow } from './key-lookup.store.js';

/**
 * The longest time for which a process uses a key that it has read, also when invalidations are lost. It must stay
 * below the second in which a revocation takes effect; a busy key costs two reads a second.
 */
export const KEY_CACHE_MS = 500;

/** About 500 bytes each. */
const MAX_KEYS = 20_000;

/** Keys by the hash of their token, for `KEY_CACHE_MS` from the moment their reading began. */
@Injectable()
export class KeyCache {
  // Reads, not rows: many requests at once share one, and one that is forgotten while it runs is not kept when it ends.
  private readonly reads = new LRUCache<string, Promise<KeyRow | null>>({
    max: MAX_KEYS,
    ttl: KEY_CACHE_MS,
    // The clock is monotonic, so changes of the time of day do not matter; it is looked up at each call, so that a test can turn it.
    perf: { now: () => performance.now() },
  });

  constructor(private readonly keys: KeyLookupStore) {}

  /**
   * Finds a key by its token; null for a token that was never given. Null is not cached, so that made-up tokens cannot fill the cache.
   * @param isSuspect it comes from a network that sends many made-up tokens: such tokens are read together, one statement at a time
   */
  find(tokenHash: Buffer, isSuspect = false): Promise<KeyRow | null> {
    const name = nameOf(tokenHash);
    const known = this.reads.get(name);
    if (known !== undefined) return known;
    const read = isSuspect ? this.keys.findBatched(tokenHash) : this.keys.findByHash(tokenHash);
    this.reads.set(name, read);
    const drop = (): void => {
      if (this.reads.peek(name) === read) this.reads.delete(name);
    };
    read.then((row) => row === null && drop(), drop);
    return read;
  }

  forget(tokenHashes: readonly Buffer[]): void {
    for (const tokenHash of tokenHashes) this.reads.delete(nameOf(tokenHash));
  }
}

function nameOf(tokenHash: Buffer): string {
  return tokenHash.toString('base64');
}
