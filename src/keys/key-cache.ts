import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { KeyStore, type KeyRow } from './key.store.js';

/**
 * The longest that a process goes on with what it has read of a key, whatever is lost between the processes. It must stay
 * below the second in which a revocation takes effect; a busy key costs two reads a second.
 */
export const KEY_CACHE_MS = 500;

/** About 500 bytes each. */
const MOST_KEYS = 20_000;

/** Keys by the hash of their token, for `KEY_CACHE_MS` from the moment their reading began. */
@Injectable()
export class KeyCache {
  // Reads, not rows: many requests at once share one, and one that is forgotten while it runs is not kept when it ends.
  private readonly reads = new LRUCache<string, Promise<KeyRow | null>>({
    max: MOST_KEYS,
    ttl: KEY_CACHE_MS,
    // Monotonic, whatever happens to the time of day; looked up at each call, so that a test can turn it.
    perf: { now: () => performance.now() },
  });

  constructor(private readonly keys: KeyStore) {}

  /**
   * Null for a token that was never given: not kept, so that nobody fills the cache with inventions.
   * @param isSuspect it comes from where many inventions come from: read with others, one statement at a time for all of them
   */
  find(tokenHash: Buffer, isSuspect = false): Promise<KeyRow | null> {
    const name = nameOf(tokenHash);
    const known = this.reads.get(name);
    if (known !== undefined) return known;
    const read = isSuspect ? this.keys.findTogether(tokenHash) : this.keys.findByHash(tokenHash);
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
