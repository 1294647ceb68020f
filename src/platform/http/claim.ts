import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';

/**
 * The right to do the work of an idempotency key, held by one request at a time. What the work charges or creates belongs
 * to the transaction that keeps its reply: both happen or neither does.
 */
export class Claim {
  private runner: QueryRunner | null = null;
  private readonly afterwards: (() => Promise<void>)[] = [];

  constructor(private readonly database: DataSource) {}

  /**
   * Does the last part of the work, in place of `DataSource.transaction`. It is committed with the reply, soon after; when
   * `work` throws nothing of it remains.
   */
  async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await work((await this.begin()).manager);
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  /** To be done once the work is committed; forgotten when it is undone. */
  afterCommit(act: () => Promise<void>): void {
    this.afterwards.push(act);
  }

  /** Ends the transaction, or a new one when the work needed none; called by whoever gave the claim. */
  async commit(last: (tx: EntityManager) => Promise<void>): Promise<void> {
    await this.transaction(async (tx) => {
      await last(tx);
      await this.runner!.commitTransaction();
    });
    await this.release();
    for (const act of this.afterwards) await act();
  }

  async rollback(): Promise<void> {
    // A connection that cannot even do that is broken, and PostgreSQL has undone its transaction by itself.
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

/** A request with an idempotency key, within the interceptor that keeps its reply. */
export interface ClaimingRequest {
  claim?: Claim;
}

/** The claim of the request, for the service that does its work; null without an idempotency key. */
export const RequestClaim = createParamDecorator((_: unknown, context: ExecutionContext): Claim | null => {
  return context.switchToHttp().getRequest<ClaimingRequest>().claim ?? null;
});
