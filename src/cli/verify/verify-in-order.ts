import type { Engine } from '../../engine/verification/engine.js';
import type { Verdict } from '../../engine/types.js';
import type { VerifiedAddress } from '../../presenting/presenter.js';
import { InOrder } from '../../lib/streams.js';

export interface Progress {
  /** @param leftMs when somebody knows better than a straight line how long it still takes; null: that nobody knows */
  show(done: number, leftMs?: number | null): void;
  /** Lets something be written to the terminal that the bar is on: it goes above the bar. */
  above(write: () => void): void;
  end(): void;
}

const NO_PROGRESS: Progress = { show: () => {}, above: (write) => write(), end: () => {} };

/**
 * A bar on standard error where a person looks at it, else nothing.
 * @param total null when it is not known: then a count
 * @param unit what is counted, such as `KB sent`
 */
export async function createProgress(total: number | null, isTerminal: boolean, unit = 'verified'): Promise<Progress> {
  if (!isTerminal) return NO_PROGRESS;
  const { Presets, SingleBar } = await import('cli-progress');
  const format = total === null ? `  {value} ${unit}` : `  {bar}  {percentage}%  {value} of {total} ${unit}{left}`;
  const bar = new SingleBar({ stream: process.stderr, clearOnComplete: true, format }, Presets.shades_classic);
  const startedAt = performance.now();
  let done = 0;
  let known: number | null | undefined;
  // The library's own estimate does not survive the stop that a line above the bar needs.
  const payload = () => {
    const leftMs =
      known === undefined && total !== null ? straightLine(performance.now() - startedAt, done, total) : known;
    return { left: leftText(leftMs ?? null) };
  };
  const start = () => bar.start(total ?? 0, done, payload());
  start();
  return {
    show: (value, leftMs) => {
      done = value;
      known = leftMs;
      bar.update(done, payload());
    },
    above: (write) => {
      bar.stop();
      write();
      start();
    },
    end: () => bar.stop(),
  };
}

function straightLine(elapsedMs: number, done: number, total: number): number | null {
  return done === 0 ? null : (elapsedMs / done) * (total - done);
}

/** What stands behind a bar; nothing when it is not known. */
export function leftText(leftMs: number | null): string {
  if (leftMs === null) return '';
  const seconds = Math.max(0, Math.round(leftMs / 1_000));
  return seconds < 120 ? `, ${seconds} s left` : `, ${Math.round(seconds / 60)} min left`;
}

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
