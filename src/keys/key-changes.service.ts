import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Claim } from '../platform/http/claim.js';
import { KeyNewsService } from './key-news.service.js';

/** A transaction in which keys change, or what holds for them. */
export interface KeyChange {
  readonly tx: EntityManager;
  /** Names keys whose standing differs from now on. */
  touch(tokenHashes: readonly Buffer[]): void;
}

/** Changes keys, and tells every process of it once the change is committed. */
@Injectable()
export class KeyChangesService {
  constructor(
    private readonly database: DataSource,
    private readonly news: KeyNewsService,
  ) {}

  /** With the claim of an idempotency key the change is committed with the reply that is kept. */
  async change<T>(work: (change: KeyChange) => Promise<T>, claim: Claim | null): Promise<T> {
    const touched: Buffer[] = [];
    const tell = () => this.news.tell(touched);
    const within = (tx: EntityManager) => work({ tx, touch: (tokenHashes) => void touched.push(...tokenHashes) });
    if (claim !== null) {
      claim.afterCommit(tell);
      return claim.transaction(within);
    }
    const result = await this.database.transaction(within);
    await tell();
    return result;
  }
}
