import type { Engine } from '../engine/index.js';
import type { Verdict } from '../engine/types.js';
import type { VerifiedAddress } from '../presenting/presenter.js';
import { InOrder } from './in-order.js';

/** Verdicts that may wait for an earlier one that takes its time; about 100 MB. */
const MOST_OUT_OF_ORDER = 50_000;

export type VerdictCounts = Readonly<Record<Verdict, number>>;

/**
 * Verifies addresses together and tells their verdicts in the order given.
 * @param told those that are due at once, and how many have a verdict, told or not
 */
export async function verifyInOrder(
  engine: Engine,
  addresses: AsyncIterable<string> | Iterable<string>,
  told: (verified: readonly VerifiedAddress[], done: number) => Promise<void>,
): Promise<VerdictCounts> {
  const order = new InOrder<VerifiedAddress>(MOST_OUT_OF_ORDER);
  const counts = { valid: 0, invalid: 0, risky: 0, unknown: 0 };
  const begun = new Map<number, number>();
  let done = 0;
  const timed = async function* (): AsyncGenerator<string, void, void> {
    let index = 0;
    for await (const address of order.throttle(addresses)) {
      begun.set(index++, performance.now());
      yield address;
    }
  };
  for await (const { index, verification } of engine.verifyMany(timed())) {
    const latencyMs = Math.round(performance.now() - begun.get(index)!);
    begun.delete(index);
    counts[verification.verdict] += 1;
    done += 1;
    await told(order.take(index, { verification, creditsCharged: 0, latencyMs }), done);
  }
  return counts;
}
