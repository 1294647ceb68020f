import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type IdempotencyClaim, runInTransaction } from '../../idempotency/idempotency-claim.js';
import { Account } from './account.entity.js';
import { KeyInvalidation } from './caller-keys.js';

/** A transaction in which keys change, or what holds for them. */
export interface KeyChange {
  readonly tx: EntityManager;
  /** Names keys that processes must read again. */
  touch(tokenHashes: readonly Buffer[]): void;
}

/** Locks an account: until the transaction ends no other one changes it or issues or revokes its keys. */
export function lockAccount(tx: EntityManager, id: string): Promise<Account | null> {
  return tx.findOne(Account, { where: { id }, lock: { mode: 'for_no_key_update' } });
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
