import type { EngineSelector } from '../../verify/engine-selector.js';
import { domainPartOf } from '../model/domain-part.js';

/** The time that a unit has to look up its mail hosts; the repartitioning of a large batch has mostly looked them up before. */
const OPERATORS_WITHIN_MS = 1_000;

export interface OrderContext {
  readonly engine: ReturnType<EngineSelector['engineOf']>;
  readonly signal: AbortSignal;
  /** In whose turn the resolver is asked. */
  readonly turn: string;
}

/**
 * Sorts addresses so that neighbours share a connection, although only a window of them is in flight.
 * @returns the indices of the addresses: those of each mail operator together, and within an operator those of each domain; null when
 *   there is one operator only, whose addresses may stay in the order of their chunks
 */
export async function byOperator(
  emails: readonly string[],
  { engine, signal, turn }: OrderContext,
): Promise<Uint32Array | null> {
  const domains = new Map<string, number>();
  const domainOf = emails.map((email) => numberOf(domains, domainPartOf(email)));
  const operators = await engine.mailOperators(domains.keys(), { patienceMs: OPERATORS_WITHIN_MS, signal, turn });
  const names = new Map<string, number>();
  // Operators with a cap on connections a minute last: they fill the window with addresses that only wait.
  for (const slow of [false, true])
    for (const operator of operators.values()) if (engine.isPacedByMinute(operator) === slow) numberOf(names, operator);
  const operatorOf = [...domains.keys()].map((domain) => numberOf(names, operators.get(domain) ?? domain));
  if (names.size === 1) return null;
  const rankOf: number[] = [];
  sortedBy(operatorOf, names.size).forEach((domain, rank) => (rankOf[domain] = rank));
  return sortedBy(
    domainOf.map((domain) => rankOf[domain]!),
    domains.size,
  );
}

/** Numbers names in the order of their first occurrence. */
function numberOf(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, numbers.size);
  return numbers.size - 1;
}

/** A counting sort: the indices of the keys, lowest key first, and equal keys in their order. */
function sortedBy(keys: readonly number[], count: number): Uint32Array {
  const nextOf = new Uint32Array(count + 1);
  keys.forEach((key) => (nextOf[key + 1]! += 1));
  for (let key = 0; key < count; key++) nextOf[key + 1]! += nextOf[key]!;
  const sorted = new Uint32Array(keys.length);
  keys.forEach((key, index) => (sorted[nextOf[key]!++] = index));
  return sorted;
}
