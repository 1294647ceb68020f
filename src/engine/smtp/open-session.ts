import type { HostAddress, HostAddressesFact } from '../dns/host-addresses.js';
import type { MailHosts } from '../dns/mail-hosts.js';
import type { MailHost } from '../dns/mx-set.js';
import type { Clock, Dialer, GiveUpSignal } from '../ports.js';
import type { MailProvider } from '../providers/providers.js';
import type { Opened, TurnedAway, Unreached } from './attempt.js';
import { isRefusalOfUs, type CircuitBreaker } from './breaker.js';
import type { Classifier } from './classify.js';
import type { Egress } from './egress.js';
import type { HostHealth } from './host-health.js';
import { Session, type OpenFailure, type SmtpIdentity } from './session.js';

/** What sessions are made of; one for an engine. */
export interface SessionWorld {
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly identity: SmtpIdentity;
  readonly mailHosts: MailHosts;
  readonly breaker: CircuitBreaker;
  readonly egress: Egress;
  readonly health: HostHealth;
  readonly classifier: Classifier;
}

/** One attempt to get a session at a domain's mail hosts. */
export interface Visit {
  /** The caps and the circuit go by this name. */
  readonly operator: string;
  readonly provider: MailProvider;
  readonly signal: GiveUpSignal;
  /** The session ended while nothing was asked. */
  readonly onIdleEnd: () => void;
}

type Attempt = Opened | Unreached | TurnedAway;

/** How much a failure tells: of several hosts' failures the most telling one is reported. */
const TELLING: readonly Unreached['problem'][] = [
  'circuit_open',
  'protocol',
  'tls',
  'closed',
  'timeout',
  'refused',
  'unreachable',
  'port25_blocked',
  'dns_error',
  'unroutable',
  'no_address',
  'given_up',
];

/**
 * Opens a session to the first host that lets us on, in the order of preference, each host's IPv4 before its IPv6 addresses.
 * The next host is tried on connect failure, on 421 and on a 4xx banner; a 5xx banner is the answer.
 */
export async function openSession(hosts: readonly MailHost[], visit: Visit, world: SessionWorld): Promise<Attempt> {
  let told: Unreached | TurnedAway | null = null;
  for (const host of avoidedLast(hosts, world.health)) {
    const remembered = world.egress.isClosed ? null : world.health.failure(host.name);
    const attempt = remembered ?? (await openHost(host.name, visit, world));
    if (attempt.kind === 'opened') {
      const primary = host.preference === hosts[0]!.preference;
      return { kind: 'opened', session: attempt.session, primary };
    }
    if (remembered === null && isHostFailure(attempt)) world.health.failed(host.name, attempt);
    told = moreTelling(told, attempt);
    if (attempt.kind === 'turned_away' && attempt.reply.code >= 500) return attempt;
    if (visit.signal.aborted) break;
  }
  return told!;
}

function avoidedLast(hosts: readonly MailHost[], health: HostHealth): readonly MailHost[] {
  if (hosts.length === 1 || !hosts.some(({ name }) => health.isAvoided(name))) return hosts;
  const isAvoided = ({ name }: MailHost) => health.isAvoided(name);
  return [...hosts.filter((host) => !isAvoided(host)), ...hosts.filter(isAvoided)];
}

async function openHost(name: string, visit: Visit, world: SessionWorld): Promise<Attempt> {
  const known = world.mailHosts.addresses(name);
  const fact = known instanceof Promise ? await known : known;
  if (fact.outcome !== 'addresses') return withoutAddress(name, fact);
  const first = await openOneOf(fact.addresses, name, visit, world);
  if (first?.kind !== 'unreached' || fact.addresses[0]!.family === 6 || visit.signal.aborted)
    return first ?? unreached({ problem: 'given_up', stage: 'connect', host: name });
  const second = await openOneOf(await world.mailHosts.ipv6Addresses(name), name, visit, world);
  return second === null || second.kind === 'unreached' ? moreTelling(second, first) : second;
}

/** Null when there was none to try. */
async function openOneOf(
  addresses: readonly HostAddress[],
  host: string,
  visit: Visit,
  world: SessionWorld,
): Promise<Attempt | null> {
  let told: Unreached | null = null;
  for (const { address } of addresses) {
    if (visit.signal.aborted) break;
    const attempt = await openAddress(host, address, visit, world);
    // When it answers, its other addresses are the same host.
    if (attempt.kind !== 'unreached') return attempt;
    told = moreTelling(told, attempt);
  }
  return told;
}

async function openAddress(host: string, address: string, visit: Visit, world: SessionWorld): Promise<Attempt> {
  const { breaker, egress, health, identity } = world;
  const { operator, provider, signal, onIdleEnd } = visit;
  const pauseMs = breaker.enter(operator, health.source(address), visit);
  if (pauseMs > 0) {
    return unreached({
      problem: 'circuit_open',
      stage: 'connect',
      host,
      address,
      fromCache: true,
      retryAfterMs: pauseMs,
    });
  }
  if (egress.closed) return unreached({ problem: 'port25_blocked', stage: 'connect', host, address, fromCache: true });

  const open = (starttls: boolean) => Session.open({ host, address, starttls, signal }, world, identity, onIdleEnd);
  let session = await open(health.encrypts(host));
  if ('ok' in session && session.problem === 'tls' && provider.starttls !== 'required' && !signal.aborted) {
    health.cannotEncrypt(host);
    session = await open(false);
  }
  if (!('ok' in session)) {
    egress.reached();
    health.connected(address, session.localAddress);
    return { kind: 'opened', session, primary: true };
  }
  if (signal.aborted) return unreached({ problem: 'given_up', stage: session.stage, host, address });
  noteFailure(session, address, world);
  if (session.stage === 'connect' && egress.closed)
    return unreached({ problem: 'port25_blocked', stage: 'connect', host, address });
  if (session.reply !== null) {
    const { stage, reply } = session;
    const classification = world.classifier.classify({ stage, reply, provider: provider.name });
    if (isRefusalOfUs(classification)) breaker.refused(operator, session.localAddress ?? '');
    return { kind: 'turned_away', stage, reply, classification, host, address, fromCache: false };
  }
  const problem = session.problem === 'reply' ? 'protocol' : session.problem;
  return unreached({ problem, stage: session.stage, host, address, detail: session.detail });
}

function noteFailure({ stage, problem, localAddress }: OpenFailure, address: string, world: SessionWorld): void {
  if (stage === 'connect' && (problem === 'timeout' || problem === 'unreachable')) world.egress.silent(address);
  else world.egress.reached();
  if (localAddress !== null) world.health.connected(address, localAddress);
}

function withoutAddress(host: string, fact: Exclude<HostAddressesFact, { outcome: 'addresses' }>): Unreached {
  const problem = fact.outcome === 'none' ? 'no_address' : fact.outcome;
  return unreached({ problem, stage: 'dns', host });
}

function unreached(told: Pick<Unreached, 'problem' | 'stage' | 'host'> & Partial<Unreached>): Unreached {
  return { kind: 'unreached', detail: '', address: null, fromCache: false, retryAfterMs: null, ...told };
}

/** What another attempt a few seconds later would meet as well. */
function isHostFailure(attempt: Unreached | TurnedAway): boolean {
  return attempt.kind === 'unreached' && ['timeout', 'refused', 'unreachable'].includes(attempt.problem);
}

function moreTelling<T extends Unreached | TurnedAway>(a: T | null, b: T): T {
  if (a === null) return b;
  if (a.kind === 'turned_away') return a;
  if (b.kind === 'turned_away') return b;
  return TELLING.indexOf(b.problem) < TELLING.indexOf(a.problem) ? b : a;
}
