import type { Engine } from '../../engine/verification/engine.js';
import type { Verdict } from '../../engine/types.js';
import type { VerifiedAddress } from '../../presenting/presenter.js';
import { InOrder } from '../../lib/streams.js';

/**
 * Verdicts that may wait in memory for an earlier one, and so the most addresses in flight: lists of people are in no order, and those of a
 * host that are far apart share a connection when they are in flight together.
 */
const MAX_OUT_OF_ORDER = 50_000;

export type VerdictCounts = Readonly<Record<Verdict, number>>;

/**
 * Verifies addresses together and hands their verdicts on in the order of the addresses.
 * @param onVerified gets the verdicts that are next in order, and the number of addresses that have a verdict
 */
export async function verifyInOrder(
  engine: Engine,
  addresses: AsyncIterable<string> | Iterable<string>,
  onVerified: (verified: readonly VerifiedAddress[], done: number) => Promise<void>,
): Promise<VerdictCounts> {
  const order = new InOrder<VerifiedAddress>(MAX_OUT_OF_ORDER);
  const counts = { valid: 0, invalid: 0, risky: 0, unknown: 0 };
  const startedAt = new Map<number, number>();
  let done = 0;
  const timed = async function* (): AsyncGenerator<string, void, void> {
    let index = 0;
    for await (const address of order.throttle(addresses)) {
      startedAt.set(index++, performance.now());
      yield address;
    }
  };
  for await (const { index, verification } of engine.verifyMany(timed(), { maxInFlight: MAX_OUT_OF_ORDER })) {
    const latencyMs = Math.round(performance.now() - startedAt.get(index)!);
    startedAt.delete(index);
    counts[verification.verdict] += 1;
    done += 1;
    await onVerified(order.take(index, { verification, creditsCharged: 0, latencyMs }), done);
  }
  return counts;
}
