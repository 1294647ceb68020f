import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
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

  async change<T>(work: (change: KeyChange) => Promise<T>): Promise<T> {
    const touched: Buffer[] = [];
    const result = await this.database.transaction((tx) =>
      work({ tx, touch: (tokenHashes) => void touched.push(...tokenHashes) }),
    );
    await this.news.tell(touched);
    return result;
  }
}
