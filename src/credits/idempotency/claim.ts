import type { EntityManager } from 'typeorm';

/**
 * The right to do the work of an idempotency key, held by one attempt at a time. What the work charges or creates is put
 * off to the transaction that keeps its reply: both happen or neither does.
 */
export class Claim {
  private readonly steps: ((tx: EntityManager) => Promise<unknown>)[] = [];

  /** @param id of the attempt */
  constructor(readonly id: string) {}

  atTheEnd(step: (tx: EntityManager) => Promise<unknown>): void {
    this.steps.push(step);
  }

  /** Called once by the idempotency service, in the last transaction. */
  async finish(tx: EntityManager): Promise<void> {
    for (const step of this.steps) await step(tx);
  }
}
