import type { KnownMailHosts } from '../../../mail-dns/mail-hosts.js';
import type { MailHost } from '../../../mail-dns/mx-set.js';
import type { MailProvider, MailProviders } from '../../lists/providers.js';
import { MxRoute } from './mx-route.js';
import type { RouteContext } from './route-lanes.js';

/** The routes that are in use: domains with the same set of mail hosts share one, and so its connections. */
export class MxRoutes {
  readonly #routes = new Map<string, MxRoute>();
  #isClosed = false;

  constructor(
    private readonly providers: MailProviders,
    private readonly context: RouteContext,
  ) {}

  /** Routes in use now. */
  get size(): number {
    return this.#routes.size;
  }

  routeTo({ key, hosts }: Pick<KnownMailHosts, 'key' | 'hosts'>): MxRoute {
    const known = this.#routes.get(key);
    if (known !== undefined) return known;
    const { name, provider } = this.operatorOf(hosts);
    const route = new MxRoute(key, hosts, name, provider, this.context, this.#forget);
    this.#routes.set(key, route);
    if (this.#isClosed) route.close();
    return route;
  }

  /** Names the operator whose caps hold for these hosts: the provider for all its hosts together, else the first host, with the default caps. */
  operatorOf(hosts: readonly MailHost[]): { readonly name: string; readonly provider: MailProvider } {
    const first = firstChoice(hosts);
    const provider = this.providers.forMailHost(first);
    return { name: provider === this.providers.fallback ? first : provider.name, provider };
  }

  /** A route to this host alone. */
  routeToHost(host: MailHost): MxRoute {
    return this.routeTo({ key: `only ${host.name}`, hosts: [host] });
  }

  /** Our sources are others than before: routes in use take them up. */
  sourcesChanged(): void {
    for (const route of this.#routes.values()) route.sourcesChanged();
  }

  close(): void {
    this.#isClosed = true;
    for (const route of this.#routes.values()) route.close();
  }

  // A verification may ask a route that was forgotten: the one that took its place stays when that one is idle again.
  readonly #forget = (idle: MxRoute): void => {
    if (this.#routes.get(idle.key) === idle) this.#routes.delete(idle.key);
  };
}

/** Among the hosts with the best preference the first by name: caps and circuits are kept under it, and chance orders equal hosts. */
function firstChoice(hosts: readonly MailHost[]): string {
  const [{ preference, name }] = hosts as [MailHost];
  return hosts.reduce((first, host) => (host.preference === preference && host.name < first ? host.name : first), name);
}
