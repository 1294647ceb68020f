import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type IdempotencyClaim, runInTransaction } from '../../idempotency/idempotency-claim.js';
import { KeyInvalidation } from './key-cache.js';

/** A transaction in which keys change, or what holds for them. */
export interface KeyChange {
  readonly tx: EntityManager;
  /** Names keys that processes must read again. */
  touch(tokenHashes: readonly Buffer[]): void;
}

/** Opens the transactions in which keys change, and publishes the changed keys to every process after the commit. */
@Injectable()
export class KeyTransaction {
  constructor(
    private readonly database: DataSource,
    private readonly invalidation: KeyInvalidation,
  ) {}

  /** With the claim of an idempotency key the change is committed with the reply that is kept. */
  run<T>(work: (change: KeyChange) => Promise<T>, claim: IdempotencyClaim | null): Promise<T> {
    const touched: Buffer[] = [];
    const touch = (tokenHashes: readonly Buffer[]) => void touched.push(...tokenHashes);
    const publish = () => this.invalidation.publish(touched);
    return runInTransaction(this.database, claim, (tx) => work({ tx, touch }), publish);
  }
}
