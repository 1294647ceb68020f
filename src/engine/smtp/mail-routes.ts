import type { KnownMailHosts } from '../dns/mail-hosts.js';
import type { MailHost } from '../dns/mx-set.js';
import type { MailProvider, MailProviders } from '../providers/providers.js';
import { MailRoute, type RouteWorld } from './mail-route.js';

/** The ways to mail hosts that are in use: domains with the same set of hosts share one, and so its connections. */
export class MailRoutes {
  readonly #routes = new Map<string, MailRoute>();
  #closed = false;

  constructor(
    private readonly providers: MailProviders,
    private readonly world: RouteWorld,
  ) {}

  /** Ways in use now. */
  get size(): number {
    return this.#routes.size;
  }

  to({ key, hosts }: Pick<KnownMailHosts, 'key' | 'hosts'>): MailRoute {
    const known = this.#routes.get(key);
    if (known !== undefined) return known;
    const { name, provider } = this.operatorOf(hosts);
    const route = new MailRoute(key, hosts, name, provider, this.world, () => this.#routes.delete(key));
    this.#routes.set(key, route);
    if (this.#closed) route.close();
    return route;
  }

  /** Whose caps hold for these hosts: a provider's for all its hosts together, else those of any host for the first one. */
  operatorOf(hosts: readonly MailHost[]): { readonly name: string; readonly provider: MailProvider } {
    const first = firstChoice(hosts);
    const provider = this.providers.forMailHost(first);
    return { name: provider === this.providers.fallback ? first : provider.name, provider };
  }

  /** Each host by itself, in the order of preference. */
  each(hosts: readonly MailHost[]): MailRoute[] {
    return hosts.map((host) => this.to({ key: `only ${host.name}`, hosts: [host] }));
  }

  close(): void {
    this.#closed = true;
    for (const route of this.#routes.values()) route.close();
  }
}

/** Of the hosts with the best preference the first by name, since the caps and the circuit go by it and chance orders them. */
function firstChoice(hosts: readonly MailHost[]): string {
  const [{ preference, name }] = hosts as [MailHost];
  return hosts.reduce((first, host) => (host.preference === preference && host.name < first ? host.name : first), name);
}
