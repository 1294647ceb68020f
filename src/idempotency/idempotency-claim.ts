import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';

/**
 * The right to do the work of an idempotency key, held by one request at a time. The charges and rows of the work belong to the
 * transaction that keeps its reply: both happen or neither does.
 */
export class IdempotencyClaim {
  private runner: QueryRunner | null = null;
  private readonly afterwards: (() => Promise<void>)[] = [];

  constructor(private readonly database: DataSource) {}

  /**
   * Runs the last part of the work, in place of `DataSource.transaction`. The claim commits it with the reply, soon after; when
   * `work` throws, all of it is rolled back.
   */
  async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await work((await this.begin()).manager);
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  /** Registers an act for after the commit; a rollback drops it. */
  afterCommit(act: () => Promise<void>): void {
    this.afterwards.push(act);
  }

  /** Ends the transaction, or a new one when the work needed none. The giver of the claim calls it. */
  async commit(last: (tx: EntityManager) => Promise<void>): Promise<void> {
    await this.transaction(async (tx) => {
      await last(tx);
      await this.runner!.commitTransaction();
    });
    await this.release();
    for (const act of this.afterwards) await act();
  }

  async rollback(): Promise<void> {
    this.afterwards.length = 0;
    // A connection that cannot even roll back is broken, and PostgreSQL has rolled its transaction back by itself.
    if (this.runner?.isTransactionActive) await this.runner.rollbackTransaction().catch(() => undefined);
    await this.release();
  }

  private async begin(): Promise<QueryRunner> {
    if (this.runner !== null) return this.runner;
    this.runner = this.database.createQueryRunner();
    await this.runner.startTransaction();
    return this.runner;
  }

  private async release(): Promise<void> {
    const { runner } = this;
    this.runner = null;
    await runner?.release();
  }
}

/**
 * Runs work in a transaction: the claim's, which commits together with the kept reply, or, without a claim, a separate one.
 * @param afterCommit runs after the commit, and not at all after a rollback
 */
export async function runInTransaction<T>(
  database: DataSource,
  claim: IdempotencyClaim | null,
  work: (tx: EntityManager) => Promise<T>,
  afterCommit?: () => Promise<void>,
): Promise<T> {
  if (claim !== null) {
    if (afterCommit) claim.afterCommit(afterCommit);
    return claim.transaction(work);
  }
  const result = await database.transaction(work);
  await afterCommit?.();
  return result;
}

/** A request with an idempotency key, within the interceptor that keeps its reply. */
export interface ClaimingRequest {
  claim?: IdempotencyClaim;
}

/** The claim of the request, for the service that does its work; null without an idempotency key. */
export const RequestIdempotencyClaim = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotencyClaim | null => {
    return context.getArgByIndex<ClaimingRequest>(0).claim ?? null;
  },
);
