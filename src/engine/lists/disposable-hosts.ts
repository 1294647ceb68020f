import type { MailHost } from '../../mail-dns/mx-set.js';
import type { MailProviders } from './providers.js';
import { registrable } from '../../mail-dns/registrable.js';
import type { Address, ListFlags } from '../types.js';
import type { Lists } from './lists.js';

/** A hosting company that no list knows as one has fewer listed domains among its customers; `npm run lists` has the same number. */
export const MIN_DISPOSABLE_DOMAINS = 5;

/** More than the list of throw-away domains has. */
const MAX_LISTED_DOMAINS = 100_000;

/**
 * What the mail hosts of a domain say about it. A throw-away service registers new domains faster than lists learn them, and takes the
 * mail of all of them at the same few hosts.
 *
 * What it is: a table of mail hosts with the listed throw-away domains that each takes mail for. `disposable-mail-hosts.txt` begins it,
 * and every listed domain that is verified adds to it, in this process.
 *
 * Its states: a listed domain is known with the hosts at which it took mail when it was last verified, or it is not known.
 *
 * Its invariants:
 * - Host names are counted: the domain that a host is in may be a hosting company's, and its address is known only once it was asked.
 * - Only hosts of the first preference count, all of them have to be throw-away hosts, and one that all sorts of customers share
 *   (`shared-mail-hosts.txt`, the operators, privacy relays, the largest mailbox providers) says nothing.
 * - A domain's own host says nothing about it, however many others share it: it may be the hosting company's own domain.
 * - Only an accepted recipient teaches. Whoever owns listed domains can point them at anybody's host, but cannot make it take their mail.
 * - Names below one registrable domain are one customer, and count once.
 *
 * What happens at a failure: nothing is known before the first listed domain is verified or when the process starts anew, so new domains
 * are found later, never wrongly. A full table learns no further domains.
 */
export class DisposableHosts {
  /** By registrable domain: the hosts that it adds to. */
  readonly #hostsOfListed = new Map<string, readonly string[]>();
  readonly #listedAt = new Map<string, number>();

  constructor(
    private readonly lists: () => Lists,
    private readonly providers: MailProviders,
  ) {}

  /** The lists' flags of an address with what its mail hosts add; `isAccepted` when they took it. */
  flagsOf(address: Address, hosts: readonly MailHost[] | null, isAccepted: boolean): ListFlags {
    const lists = this.lists();
    const flags = lists.flagsOf(address);
    if (hosts === null) return flags;
    if (flags.disposable) {
      if (isAccepted) this.#learn(address.domain, hosts);
      return flags;
    }
    const disposableBy = this.#find(address.domain, hosts, lists);
    return disposableBy === null ? flags : { ...flags, disposable: true, disposableBy };
  }

  #learn(domain: string, hosts: readonly MailHost[]): void {
    const customer = registrable(domain);
    const before = this.#hostsOfListed.get(customer);
    if (before === undefined && this.#hostsOfListed.size >= MAX_LISTED_DOMAINS) return;
    const names = firstPreference(hosts).map(({ name }) => name);
    for (const name of before ?? []) this.#count(name, -1);
    for (const name of names) this.#count(name, 1);
    this.#hostsOfListed.set(customer, names);
  }

  #count(host: string, change: 1 | -1): void {
    const domains = (this.#listedAt.get(host) ?? 0) + change;
    if (domains === 0) this.#listedAt.delete(host);
    else this.#listedAt.set(host, domains);
  }

  #find(domain: string, hosts: readonly MailHost[], lists: Lists): string | null {
    let why = '';
    for (const { name } of firstPreference(hosts)) {
      const { disposable, disposableDomains } = lists.mailHost(name);
      const domains = Math.max(disposableDomains, this.#listedAt.get(name) ?? 0);
      if (!disposable && domains < MIN_DISPOSABLE_DOMAINS) return null;
      if (this.#isShared(name, lists) || isOwnHost(name, domain)) return null;
      why =
        domains > 1
          ? `${name} takes mail for ${domains} listed throw-away domains`
          : `${name} is a host of a listed throw-away domain`;
    }
    return lists.isNeverDisposable(domain) ? null : why;
  }

  #isShared(host: string, lists: Lists): boolean {
    return lists.mailHost(host).shared || this.providers.forMailHost(host) !== this.providers.fallback;
  }
}

function firstPreference(hosts: readonly MailHost[]): readonly MailHost[] {
  return hosts.filter(({ preference }) => preference === hosts[0]!.preference);
}

function isOwnHost(host: string, domain: string): boolean {
  return registrable(host) === registrable(domain);
}
