import type { MxRecord } from './domain-dns.js';
import type { Random } from '../lib/clock.js';

export interface MailHost {
  /** Lower-case host name without a trailing dot, or an IP address. */
  readonly name: string;
  readonly preference: number;
}

/** The mail hosts of a domain, sorted by preference and then by name. */
export interface MxSet {
  readonly hosts: readonly MailHost[];
  /** The names in this order, `;` between unequal and `,` between equal preferences: the same for the same way to deliver. */
  readonly key: string;
  /** Some preferences are equal, so that there is an order to choose. */
  readonly hasEqual: boolean;
}

const MAX_HOSTS = 10;

/**
 * The set that MX records describe, or null for a null MX. An empty exchange is a null MX only as the only record
 * (RFC 7505 section 3); among others it is a mistake and left out.
 */
export function mxSetOf(records: readonly MxRecord[]): MxSet | null {
  const best = new Map<string, number>();
  for (const { exchange, preference } of records) {
    if (exchange !== '') best.set(exchange, Math.min(preference, best.get(exchange) ?? preference));
  }
  if (best.size === 0) return null;
  const hosts = [...best]
    .map(([name, preference]) => ({ name, preference }))
    .sort((one, other) => one.preference - other.preference || (one.name < other.name ? -1 : 1))
    .slice(0, MAX_HOSTS);
  return { hosts, key: keyOf(hosts), hasEqual: hosts.some((host, i) => host.preference === hosts[i + 1]?.preference) };
}

/** The set of a domain or address that is its own mail host. */
export function ownMxSet(name: string): MxSet {
  return { hosts: [{ name, preference: 0 }], key: name, hasEqual: false };
}

/** The hosts by preference, equal ones shuffled to spread the load (RFC 5321 section 5.1). */
export function inDeliveryOrder({ hosts, hasEqual }: MxSet, random: Random): readonly MailHost[] {
  if (!hasEqual) return hosts;
  const order = [...hosts];
  let first = 0;
  for (let end = 1; end <= order.length; end += 1) {
    if (order[end]?.preference === order[first]!.preference) continue;
    shuffle(order, first, end, random);
    first = end;
  }
  return order;
}

/** Fisher-Yates over `order[first]` to `order[end - 1]`. */
function shuffle(order: MailHost[], first: number, end: number, random: Random): void {
  for (let last = end - 1; last > first; last -= 1) {
    const chosen = first + Math.floor(random.fraction() * (last - first + 1));
    [order[last], order[chosen]] = [order[chosen]!, order[last]!];
  }
}

function keyOf(hosts: readonly MailHost[]): string {
  return hosts
    .map(({ name, preference }, i) => (i === 0 ? name : (preference === hosts[i - 1]!.preference ? ',' : ';') + name))
    .join('');
}
