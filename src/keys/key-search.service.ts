import { Injectable } from '@nestjs/common';
import { hashToken, isClaimToken, kindOfToken } from './access/token.js';
import { KeyStore, type KeyRecord } from './access/key.store.js';

/** A token of ours, whole or cut, anywhere in a text such as a line of a log. */
const TOKEN_LIKE = /ms_(?:agent|live|test|admin|claim)_[0-9A-Za-z]*/;

/** Finds the key that a token, a part of it or an id belongs to, whosever it is and whether it still works or not. */
@Injectable()
export class KeySearchService {
  constructor(private readonly keys: KeyStore) {}

  find(id: string): Promise<KeyRecord | null> {
    return this.keys.find(id);
  }

  /** The token, of a key or of an agent's claim, goes no further than this: the database is asked by its hash. */
  async findByToken(token: string): Promise<KeyRecord | null> {
    if (isClaimToken(token)) return this.keys.findByClaimHash(hashToken(token));
    return kindOfToken(token) === null ? null : this.keys.findByHash(hashToken(token));
  }

  /** Newest first. @param limit most keys */
  findByLastFour(lastFour: string, limit: number): Promise<KeyRecord[]> {
    return this.keys.findByLastFour(lastFour, limit);
  }
}

/** What may be a token in a text; null when there is nothing like one. */
export function tokenIn(text: string): string | null {
  return TOKEN_LIKE.exec(text)?.[0] ?? null;
}
