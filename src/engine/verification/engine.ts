import { createMailHosts } from '../../mail-dns/mail-hosts.js';
import type { ResolverJudge } from '../../mail-dns/resolver-judge.js';
import type { Finding, FindOptions, FindRequest } from '../finder/finding.js';
import { Search } from './search.js';
import { AddressVerification, type VerificationContext } from './address-verification.js';
import { singleOf } from '../smtp/probe/recipient-probe.js';
import { mailOperators, type MailOperatorsOptions } from './mail-operators.js';
import type { Lists } from '../lists/lists.js';
import { DisposableHosts } from '../lists/disposable-hosts.js';
import {
  type EgressSource,
  type EnginePorts,
  type IsLeftAlone,
  PORT_25,
  type SharedBlock,
  type WarmUpTable,
} from '../ports.js';
import type { MailProviders } from '../lists/providers.js';
import { CircuitBreaker, type OpenCircuit } from '../smtp/connect/breaker.js';
import { SocketPermits } from '../smtp/connect/socket-permits.js';
import { MemoryWarmUp } from '../smtp/connect/warm-up.js';
import { createClassifier } from '../smtp/reply/classify.js';
import type { DecisionTable } from '../smtp/reply/decision-table.js';
import { AmbiguousRefusals, MeasuredOperators, TransientRefusals } from '../smtp/probe/refusals.js';
import { ControlProbes } from '../smtp/probe/control-probes.js';
import type { Port25Report } from '../smtp/connect/port25.js';
import { type TrialContext, tryPort25 } from '../smtp/connect/port25-trial.js';
import { Sources } from '../smtp/connect/sources.js';
import { DEFAULT_SOURCE, type SourceCondition, type SourceReport } from '../smtp/connect/source.js';
import { NOBODY_LISTENS, type SmtpListener, type SmtpIdentity } from '../smtp/connect/session.js';
import type { RouteContext } from '../smtp/probe/route-lanes.js';
import { MxRoutes } from '../smtp/probe/mx-routes.js';
import { Witnesses } from '../smtp/probe/witnesses.js';
import { parseAddress } from '../syntax/address.js';
import { createSuggester } from '../syntax/suggest.js';
import type { Verification } from '../types.js';
import { verifyGroups, verifyMany, type Verified, type VerifyManyOptions } from './verify-stream.js';

export { createLists, type ListFiles, type Lists, NO_LISTS } from '../lists/lists.js';
export { WireError } from '../ports.js';
export { parseMailProviders, type MailProviders } from '../lists/providers.js';
export type { DecisionTable } from '../smtp/reply/decision-table.js';
export { parseDecisionTable, proveExamples } from '../smtp/reply/parse-decision-table.js';
export { MemoryConnectionLimiter } from '../smtp/connect/connection-limiter.js';
export type { Port25Report } from '../smtp/connect/port25.js';
export type { SourceCondition } from '../smtp/connect/source.js';
export type { Refusal, SmtpListener } from '../smtp/connect/session.js';
export { createSocketDialer, wireOf } from '../smtp/connect/socket.js';
export { parseAddress } from '../syntax/address.js';
export type { Verified, VerifyManyOptions } from './verify-stream.js';

export interface EngineOptions {
  readonly ports: EnginePorts;
  readonly providers: MailProviders;
  /** What replies of mail hosts mean. */
  readonly decisionTable: DecisionTable;
  /** Read at each verdict, so that lists can be replaced while the engine works. */
  readonly lists: () => Lists;
  readonly identity: SmtpIdentity;
  /** Our own addresses; without them there is one with this identity, at an address that the system chooses. */
  readonly sources?: readonly EgressSource[];
  /** How sources that say since when they ask are warmed up. */
  readonly warmUpTable?: WarmUpTable;
  /** Whether a source may ask, by its name; asked all the time. */
  readonly conditionOf?: (source: string) => SourceCondition;
  /** Networks (CIDR) that may be connected to although they are not public. */
  readonly mxAllowedNetworks: readonly string[];
  /**
   * Says whether the resolver is believed, at once and while it is asked; when it lies, verdicts that need it are `unknown`. Without this
   * option it is believed whatever it says.
   */
  readonly resolverJudge?: ResolverJudge;
  /** Domains whose mail hosts show whether port 25 leaves this machine; without them silence shows nothing. */
  readonly knownDomains?: readonly string[];
  /** Asked before an address is asked about, and again when its turn has come; default: nobody is left alone. */
  readonly isLeftAlone?: IsLeftAlone;
  /** Sockets open at once, all mail hosts together. */
  readonly maxSockets?: number;
  /** Called when the mail hosts of the known domains are silent and none has answered lately: port 25 does not leave the source's machine. */
  readonly onPort25Blocked?: (source: string) => void;
  readonly smtpListener?: SmtpListener;
  /** Called with every verdict of `verify`, `verifyMany` and `verifyGroups`; must not throw. */
  readonly onVerified?: (verification: Verification) => void;
}

export interface VerifyOptions {
  /** Milliseconds after which the verdict is `unknown`, with the reason so far. */
  readonly budgetMs: number;
  /** The caller has gone: the verification ends as if the budget were used up. */
  readonly signal?: AbortSignal;
  /** Who wants to know: accounts share the places of questions to the DNS. Left out: it is our own question. */
  readonly account?: string;
}

export interface Engine {
  /** Never rejects: what cannot be verified gets the verdict `unknown` with a reason. */
  verify(email: string, options: VerifyOptions): Promise<Verification>;
  /** Verifies many addresses with shared facts and connections; yields verdicts as they come. */
  verifyMany(
    addresses: AsyncIterable<string> | Iterable<string>,
    options?: VerifyManyOptions,
  ): AsyncGenerator<Verified, void, void>;
  /** Like `verifyMany`, but yields arrays, without a promise for each address. */
  verifyGroups(
    addresses: AsyncIterable<string> | Iterable<string>,
    options?: VerifyManyOptions,
  ): AsyncGenerator<readonly Verified[], void, void>;
  /** Finds a person's address by name and domain, with as few probes as possible. Never rejects unless `suppressed` does. */
  find(request: FindRequest, options: FindOptions): Promise<Finding>;
  /**
   * Maps each domain to the operator whose caps hold for its mail hosts, so that a caller can verify the addresses of one operator
   * together. The result has no domains without mail hosts, no malformed ones, and none whose hosts are not found within `patienceMs`.
   * Rejects with the signal's reason.
   */
  mailOperators(domains: Iterable<string>, options: MailOperatorsOptions): Promise<ReadonlyMap<string, string>>;
  /** The operator limits connections a minute, so that a long list of its addresses takes long, however fast its hosts are. */
  isPacedByMinute(operator: string): boolean;
  /** The operators that refuse us, and that nobody asks for a while. */
  openCircuits(): Iterable<OpenCircuit>;
  /** Whether port 25 leaves this machine, as far as mail hosts have shown. */
  port25(): Port25Report;
  /** Our own addresses, as this process knows them. */
  sources(): readonly SourceReport[];
  /** Asks from these addresses from now on. One that is not among them finishes what is in flight; who was bound to it is asked from another. */
  useSources(sources: readonly EgressSource[], warmUpTable?: WarmUpTable): void;
  /** Whether a verdict of this time may rest on a lie of the DNS resolver, as is known by now. */
  mayHaveLied(at: number): boolean;
  /** Takes up what other processes have found out. */
  adopt(blocks: readonly SharedBlock[]): void;
  /** Anybody can get a mailbox at the domain: it is a free or throw-away provider, or a privacy relay. */
  isPublicMailDomain(domain: string): boolean;
  /** What an address is by itself. @param takesNoMail its domain is known to take no mail: then slips of typing are looked for more eagerly */
  read(email: string, takesNoMail: boolean): Pick<Verification, 'email' | 'normalizedEmail' | 'didYouMean'>;
  /** Ends all connections; open verifications end as `unknown`. */
  close(): void;
}

const MAX_SOCKETS = 1_500;

export function createEngine(options: EngineOptions): Engine {
  const { ports, providers, lists, identity, mxAllowedNetworks } = options;
  const { clock, random, dialer, connectionLimiter } = ports;
  const { resolverJudge } = options;
  const resolver = resolverJudge?.judged(ports.resolver) ?? ports.resolver;
  const mailHosts = createMailHosts({ resolver, clock, random, allowPrivate: mxAllowedNetworks });
  resolverJudge?.onChange(() => mailHosts.forget());
  void resolverJudge?.check();
  const warm: RouteContext['warm'] = new Map();
  const closeWarm = () => {
    for (const sameOperator of warm.values()) for (const route of sameOperator) route.closeWarm();
  };
  const classifier = createClassifier(options.decisionTable);
  const witnesses = new Witnesses(clock, (localPart) => lists().isRole(localPart));
  const isLeftAlone = options.isLeftAlone ?? (() => false);
  const controlProbes = new ControlProbes(clock, random, isLeftAlone);
  const breaker = new CircuitBreaker(clock, ports.tellOthers);
  const sources = new Sources(options.sources ?? [sourceOf(identity)], {
    ...options,
    clock,
    tellOthers: ports.tellOthers,
    tryPort25: (source) => tryPort25(source, trialContext),
  });
  const routes = new MxRoutes(providers, {
    dialer,
    clock,
    smtpPort: identity.port,
    sources,
    mailHosts,
    connectionLimiter,
    warmUp: ports.warmUp ?? new MemoryWarmUp(clock),
    breaker,
    classifier,
    listener: options.smtpListener ?? NOBODY_LISTENS,
    witnesses,
    sockets: new SocketPermits(options.maxSockets ?? MAX_SOCKETS, closeWarm),
    warm,
    waitingForPermit: new Map(),
  });
  const trialContext: TrialContext = {
    mailHosts,
    dialer,
    clock,
    smtpPort: identity.port,
    domains: options.knownDomains ?? [],
    permit: async (domain, hosts, source, signal) => {
      if (isLeftAlone(domain, hosts)) throw new Error('left alone');
      const { name, provider } = routes.operatorOf(hosts);
      return connectionLimiter.acquire(name, provider.caps, signal, null, source === DEFAULT_SOURCE ? null : source);
    },
  };
  const context: VerificationContext = {
    clock,
    lists,
    disposableHosts: new DisposableHosts(lists, providers),
    providers,
    mailHosts,
    routes,
    suggester: createSuggester({
      knownDomains: (domain) => providers.forDomain(domain) !== null || lists().flagsOfDomain(domain).free,
    }),
    controlProbes,
    measuredOperators: new MeasuredOperators(controlProbes, ports.operatorMeasures),
    ambiguousRefusals: new AmbiguousRefusals(controlProbes, witnesses, classifier),
    transientRefusals: new TransientRefusals(clock),
    isLeftAlone,
    nameRuns: ports.nameRuns,
    sources,
  };
  const pacedByMinute = new Set(
    providers.all.filter(({ caps }) => caps.connectionsPerMinute !== null).map(({ name }) => name),
  );

  return {
    verify: (email, { budgetMs, signal, account }) =>
      new Promise((resolve) => {
        const single = new AddressVerification(email, context, singleOf(account ?? null), (verification) => {
          cancelTimer();
          options.onVerified?.(verification);
          signal?.removeEventListener('abort', expire);
          resolve(verification);
        });
        const expire = () => single.expire();
        const cancelTimer = clock.after(budgetMs, expire);
        if (signal?.aborted) expire();
        else signal?.addEventListener('abort', expire, { once: true });
        single.start();
      }),
    verifyMany: (addresses, many = {}) => verifyMany(addresses, context, many, options.onVerified),
    verifyGroups: (addresses, many = {}) => verifyGroups(addresses, context, many, options.onVerified),
    find: async (request, options) => {
      const search = new Search(request, options, context);
      const cancelTimer = clock.after(options.budgetMs, () => search.expire());
      return search.run().finally(cancelTimer);
    },
    mailOperators: (domains, options) => mailOperators(domains, context, options),
    isPacedByMinute: (operator) => pacedByMinute.has(operator),
    openCircuits: () => breaker.openCircuits(),
    port25: () => sources.port25,
    sources: () => sources.all.map(({ report }) => report),
    useSources: (configs, warmUpTable) => {
      sources.replace(configs, warmUpTable);
      routes.sourcesChanged();
    },
    mayHaveLied: (at) => resolverJudge?.mayHaveLied(at) ?? false,
    adopt: (blocks) => {
      for (const block of blocks) {
        if (block.operator !== PORT_25) breaker.adopt(block);
        else for (const source of sources.all) source.adoptPort25(block);
      }
    },
    isPublicMailDomain: (domain) => {
      const { free, disposable, privacyRelay } = lists().flagsOfDomain(domain);
      return free || disposable || privacyRelay;
    },
    read: (email, takesNoMail) => {
      const parsed = parseAddress(email);
      const normalizedEmail = parsed.ok ? parsed.address.normalized : null;
      return { email, normalizedEmail, didYouMean: context.suggester.suggestFor(parsed, takesNoMail) };
    },
    close: () => {
      routes.close();
      sources.close();
    },
  };
}

function sourceOf({ heloName, mailFrom }: SmtpIdentity): EgressSource {
  const anywhere = { address: null, socks5: null, region: null, weight: 1, since: null, operators: null };
  return { name: DEFAULT_SOURCE, helo: heloName, mailFrom, ...anywhere };
}
