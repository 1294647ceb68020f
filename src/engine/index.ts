import { createMailHosts } from './dns/mail-hosts.js';
import type { Finding } from './finder/finding.js';
import type { FindOptions, FindRequest } from './finder/request.js';
import { Search } from './finder/search.js';
import { Inquiry, type InquiryWorld } from './inquiry.js';
import { mailOperators, type MailOperatorsOptions } from './mail-operators.js';
import type { Lists } from './lists/lists.js';
import type { EnginePorts } from './ports.js';
import type { MailProviders } from './providers/providers.js';
import { CircuitBreaker } from './smtp/breaker.js';
import { createClassifier } from './smtp/classify.js';
import { Controls } from './smtp/controls.js';
import { Egress } from './smtp/egress.js';
import { HostHealth } from './smtp/host-health.js';
import type { RouteWorld } from './smtp/mail-route.js';
import { MailRoutes } from './smtp/mail-routes.js';
import type { SmtpIdentity } from './smtp/session.js';
import { SocketPlaces } from './smtp/socket-places.js';
import { SoftRefusals } from './smtp/soft-refusals.js';
import { createSuggester } from './syntax/suggest.js';
import type { Verification } from './types.js';
import { verifyGroups, verifyMany, type Verified, type VerifyManyOptions } from './verify-many.js';

export type * from './finder/finder-data.js';
export type * from './finder/finding.js';
export type * from './finder/request.js';
export { createNodeResolver } from './dns/resolver.js';
export { createLists, type ListFiles, type Lists } from './lists/lists.js';
export type * from './ports.js';
export { WireError } from './ports.js';
export { parseMailProviders, type MailProvider, type MailProviders } from './providers/providers.js';
export { MemoryHostGate } from './smtp/host-gate.js';
export type { MailOperatorsOptions } from './mail-operators.js';
export type { SmtpIdentity } from './smtp/session.js';
export { createSocketDialer } from './smtp/socket.js';
export { parseAddress } from './syntax/address.js';
export type * from './types.js';
export { REASONS } from './types.js';
export type { Verified, VerifyManyOptions } from './verify-many.js';

export interface EngineOptions {
  readonly ports: EnginePorts;
  readonly providers: MailProviders;
  /** Read at each verdict, so that lists can be replaced while the engine works. */
  readonly lists: () => Lists;
  readonly identity: SmtpIdentity;
  /** Networks (CIDR) that may be connected to although they are not public. */
  readonly allowPrivateMx: readonly string[];
  /** Sockets open at once, all mail hosts together. */
  readonly mostSockets?: number;
  /** Told when five mail hosts in a row were silent and none ever answered: port 25 does not leave this machine. */
  readonly onPort25Closed?: () => void;
  /** Told of every verdict of `verify` and `verifyMany`. */
  readonly onVerified?: (verification: Verification) => void;
}

export interface VerifyOptions {
  /** Milliseconds after which the verdict is `unknown`, with the reason so far. */
  readonly budgetMs: number;
  /** Whoever asked has gone: as if the budget were used up. */
  readonly signal?: AbortSignal;
}

export interface Engine {
  /** Never rejects: what could not be told is a verdict with a reason. */
  verify(email: string, options: VerifyOptions): Promise<Verification>;
  /** Many addresses with shared facts and connections; verdicts as they come. */
  verifyMany(
    addresses: AsyncIterable<string> | Iterable<string>,
    options?: VerifyManyOptions,
  ): AsyncGenerator<Verified, void, void>;
  /** The same in groups of what became known together, without a promise for each address. */
  verifyGroups(
    addresses: AsyncIterable<string> | Iterable<string>,
    options?: VerifyManyOptions,
  ): AsyncGenerator<readonly Verified[], void, void>;
  /** A person's address by name and domain, with as few questions as possible. Never rejects unless `suppressed` does. */
  find(request: FindRequest, options: FindOptions): Promise<Finding>;
  /**
   * Whose caps the mail hosts of each domain come under, by name: whoever asks about many addresses asks about those of one operator
   * together. Domains without mail hosts, malformed ones, and those that are not known within the patience are left out. Rejects with
   * the signal's reason.
   */
  mailOperators(domains: Iterable<string>, options: MailOperatorsOptions): Promise<ReadonlyMap<string, string>>;
  /** Mailboxes at the domain are given to anybody who asks: free and throw-away providers, privacy relays. */
  isPublicMailDomain(domain: string): boolean;
  /** Ends all connections; open verifications end as `unknown`. */
  close(): void;
}

const MOST_SOCKETS = 400;

export function createEngine(options: EngineOptions): Engine {
  const { ports, providers, lists, identity, allowPrivateMx } = options;
  const { clock, random, resolver, dialer, gate } = ports;
  const mailHosts = createMailHosts({ resolver, clock, random, allowPrivate: allowPrivateMx });
  const warm: RouteWorld['warm'] = new Map();
  const leaveWarm = () => {
    for (const resting of warm.values()) for (const route of resting) route.cool();
  };
  const routes = new MailRoutes(providers, {
    dialer,
    clock,
    identity,
    mailHosts,
    gate,
    breaker: new CircuitBreaker(clock),
    egress: new Egress(clock, options.onPort25Closed ?? (() => {})),
    health: new HostHealth(clock),
    classifier: createClassifier(),
    sockets: new SocketPlaces(options.mostSockets ?? MOST_SOCKETS, leaveWarm),
    warm,
    waitingForPlace: new Map(),
  });
  const world: InquiryWorld = {
    clock,
    lists,
    providers,
    mailHosts,
    routes,
    suggester: createSuggester({ knownDomains: (domain) => providers.forDomain(domain) !== null }),
    controls: new Controls(clock, random),
    softRefusals: new SoftRefusals(clock),
  };

  return {
    verify: (email, { budgetMs, signal }) =>
      new Promise((resolve) => {
        const inquiry = new Inquiry(email, world, true, (verification) => {
          cancelTimer();
          options.onVerified?.(verification);
          signal?.removeEventListener('abort', expire);
          resolve(verification);
        });
        const expire = () => inquiry.expire();
        const cancelTimer = clock.after(budgetMs, expire);
        if (signal?.aborted) expire();
        else signal?.addEventListener('abort', expire, { once: true });
        inquiry.begin();
      }),
    verifyMany: (addresses, many = {}) => verifyMany(addresses, world, many, options.onVerified),
    verifyGroups: (addresses, many = {}) => verifyGroups(addresses, world, many, options.onVerified),
    find: async (request, options) => {
      const search = new Search(request, options, world);
      const cancelTimer = clock.after(options.budgetMs, () => search.expire());
      return search.run().finally(cancelTimer);
    },
    mailOperators: (domains, options) => mailOperators(domains, world, options),
    isPublicMailDomain: (domain) => {
      const { free, disposable, privacyRelay } = lists().ofDomain(domain);
      return free || disposable || privacyRelay;
    },
    close: () => routes.close(),
  };
}
