import { DAY_MS } from '../../../lib/durations.js';
import type { WarmUp, WarmUpPace, WarmUpTable } from '../../ports.js';
import type { Clock } from '../../../lib/clock.js';

/**
 * The recipients that a source may name to an operator today: few at first, more each day, because hosts distrust an address that they have
 * never seen and that asks much. Null: as many as it likes, since it has been warmed up or needs no warming.
 *
 * @param since when the source began; before that it asks nobody
 */
export function recipientsOfDay(
  { firstDay, growth, most }: WarmUpPace,
  since: number | null,
  now: number,
): number | null {
  if (since === null) return null;
  if (now < since) return 0;
  const recipients = Math.floor(firstDay * growth ** Math.floor((now - since) / DAY_MS));
  return recipients >= most ? null : recipients;
}

/** How the operator wants new addresses to begin. */
export function warmUpPaceOf(table: WarmUpTable, operator: string): WarmUpPace {
  const { operators } = table;
  return operators !== undefined && Object.hasOwn(operators, operator) ? operators[operator]! : table;
}

/** Milliseconds until the next UTC day, when all may begin to count anew. */
export function untilNextDay(now: number): number {
  return DAY_MS - (now % DAY_MS);
}

/** Counts the recipients of the UTC day within one process. */
export class MemoryWarmUp implements WarmUp {
  #day = 0;
  #used = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  take(operator: string, source: string, most: number, wanted: number): Promise<number> {
    const day = Math.floor(this.clock.now() / DAY_MS);
    if (day !== this.#day) this.#used = new Map();
    this.#day = day;
    const key = `${operator} ${source}`;
    const used = this.#used.get(key) ?? 0;
    const granted = Math.max(0, Math.min(wanted, most - used));
    if (granted > 0) this.#used.set(key, used + granted);
    return Promise.resolve(granted);
  }

  giveBack(operator: string, source: string, count: number): void {
    const key = `${operator} ${source}`;
    const used = this.#used.get(key);
    if (used !== undefined) this.#used.set(key, Math.max(0, used - count));
  }
}
