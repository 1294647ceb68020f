import type { MailWorlds } from '../verify/mail-worlds.js';
import { mailDomainOf } from './mail-domain.js';

/** To learn a load's mail hosts in; the grouping of a large batch has mostly learned them before. */
const OPERATORS_WITHIN_MS = 1_000;

export interface OrderContext {
  readonly engine: ReturnType<MailWorlds['engineOf']>;
  readonly signal: AbortSignal;
}

/**
 * Neighbours share a connection although few are in view.
 * @returns the places of the addresses, those of each mail operator together, and of these those of each domain
 */
export async function byOperator(emails: readonly string[], { engine, signal }: OrderContext): Promise<Uint32Array> {
  const domains = new Map<string, number>();
  const domainOf = emails.map((email) => numberOf(domains, mailDomainOf(email)));
  const operators = await engine.mailOperators(domains.keys(), { patienceMs: OPERATORS_WITHIN_MS, signal });
  const names = new Map<string, number>();
  const operatorOf = [...domains.keys()].map((domain) => numberOf(names, operators.get(domain) ?? domain));
  const turnOf: number[] = [];
  sortedBy(operatorOf, names.size).forEach((domain, turn) => (turnOf[domain] = turn));
  return sortedBy(
    domainOf.map((domain) => turnOf[domain]!),
    domains.size,
  );
}

/** In the order in which they are first named. */
function numberOf(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, numbers.size);
  return numbers.size - 1;
}

/** The places of the keys, the lowest keys' first and of equal ones the first: each key's places are counted, then filled. */
function sortedBy(keys: readonly number[], most: number): Uint32Array {
  const nextOf = new Uint32Array(most + 1);
  keys.forEach((key) => (nextOf[key + 1]! += 1));
  for (let key = 0; key < most; key++) nextOf[key + 1]! += nextOf[key]!;
  const sorted = new Uint32Array(keys.length);
  keys.forEach((key, place) => (sorted[nextOf[key]!++] = place));
  return sorted;
}
