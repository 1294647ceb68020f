import { createAddressGuard } from '../../mail-dns/public-address.js';
import type { FactsOutside } from '../../engine/domain/facts.js';
import type { EgressSource } from '../../engine/ports.js';
import type { Env } from '../../platform/config/env.js';
import { nodePorts, port25Trial } from '../../verify/ports/node-ports.js';
import { BimiFetcher } from './bimi-fetcher.js';
import { RdapClient } from './rdap-client.js';
import { StartTlsLooker } from './starttls-prober.js';
import { StsFetcher } from './guarded-fetch.js';

interface DomainOutsideOptions {
  /** Our own address that asks mail hosts now; null: none may. */
  readonly source: () => EgressSource | null;
  readonly isOptedOut?: (host: string) => boolean;
}

/** All that a check of a domain asks others than the DNS: the real network, guarded. */
export class DomainOutside {
  readonly #policies: StsFetcher;
  readonly #registries: RdapClient;
  readonly #logos: BimiFetcher;
  readonly #hosts: StartTlsLooker;

  constructor(
    env: Pick<Env, 'dnsServers' | 'dnsKnownDomains' | 'mxAllowedNetworks' | 'smtpPort'>,
    { source, isOptedOut = () => false }: DomainOutsideOptions,
  ) {
    const { dialer, clock } = nodePorts(env);
    this.#policies = new StsFetcher({ dnsServers: env.dnsServers });
    this.#registries = new RdapClient({ dnsServers: env.dnsServers }, clock);
    this.#logos = new BimiFetcher({ dnsServers: env.dnsServers });
    this.#hosts = new StartTlsLooker({
      dialer,
      clock,
      port: env.smtpPort,
      mayConnect: createAddressGuard(env.mxAllowedNetworks),
      source,
      isOptedOut,
      tryPort25: port25Trial(env),
    });
  }

  /** The questions of one check, which get no answer once its time is over. */
  questions(signal: AbortSignal): FactsOutside {
    const over = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const within = <T>(answer: Promise<T>, otherwise: T): Promise<T> =>
      Promise.race([answer, over.then(() => otherwise)]);
    return {
      stsPolicy: (domain) => within(this.#policies.fetch(domain), { outcome: 'unknown' }),
      startTls: (host, addresses) =>
        within(this.#hosts.look(host, addresses, signal), { outcome: 'unknown', why: 'no_answer' }),
      logo: (url) => within(this.#logos.logo(url), { outcome: 'unknown' }),
      markCertificate: (url) => within(this.#logos.certificate(url), { outcome: 'unknown' }),
      registration: (domain) => within(this.#registries.look(domain), { outcome: 'unknown', why: 'no_answer' }),
    };
  }

  async close(): Promise<void> {
    this.#hosts.close();
    await Promise.all([this.#policies, this.#registries, this.#logos].map((one) => one.close()));
  }
}
