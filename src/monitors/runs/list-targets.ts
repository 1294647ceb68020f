import { readTarget, type Target } from '../../mail-dns/targets.js';
import type { DomainFacts } from '../../engine/domain/facts.js';
import type { Monitor } from '../model/monitor.js';

/** Addresses of one domain that lists are asked about, beside the domain. */
const MAX_ADDRESSES = 32;

export interface ListTargets {
  /** The domain, and the addresses that send its mail; of an address itself. */
  readonly senders: readonly Target[];
  /** Addresses of mail hosts that send none of it, as far as its SPF record says. */
  readonly receivers: readonly Target[];
}

export const NO_TARGETS: ListTargets = { senders: [], receivers: [] };

/**
 * Who lists are asked about.
 * @param isOperators whether a mail host is a mail operator's: nobody else can do anything about it
 */
export function listTargets(
  { target, settings, simulated }: Pick<Monitor, 'target' | 'settings' | 'simulated'>,
  facts: DomainFacts | null,
  isOperators: (host: string) => boolean,
): ListTargets {
  const hosts = facts?.mx.hosts ?? [];
  const theirs = new Set(hosts.filter(({ host }) => isOperators(host)).flatMap(({ addresses }) => addresses));
  const read = (texts: readonly string[]) => {
    const targets = texts
      .filter((text) => !theirs.has(text) || settings.sendingAddresses.includes(text))
      .map((text) => readTarget(text, simulated))
      .filter((one) => typeof one !== 'string');
    return [...new Map(targets.map((one) => [one.value, one])).values()];
  };
  const senders = read([
    target,
    ...settings.sendingAddresses,
    ...(facts?.senders ?? []).map(({ address }) => address),
  ]).slice(0, MAX_ADDRESSES + 1);
  const known = new Set(senders.map(({ value }) => value));
  const receivers = read(hosts.flatMap(({ addresses }) => addresses)).filter(({ value }) => !known.has(value));
  return { senders, receivers: receivers.slice(0, MAX_ADDRESSES + 1 - senders.length) };
}
