import type { HostAddress, HostAddressesFact } from '../../../mail-dns/host-addresses.js';
import type { MailHosts } from '../../../mail-dns/mail-hosts.js';
import type { MailHost } from '../../../mail-dns/mx-set.js';
import type { Dialer } from '../../ports.js';
import type { Clock } from '../../../lib/clock.js';
import type { CancelSignal } from '../../../lib/semaphore.js';
import type { MailProvider } from '../../lists/providers.js';
import type { ConnectFailed, OpenFailure, RejectedBeforeRcpt } from './connect-result.js';
import { isRefusalOfUs, type CircuitBreaker } from './breaker.js';
import type { Classifier } from '../reply/classify.js';
import type { Source, HostHealth } from './source.js';
import { type SmtpListener, Session } from './session.js';

export interface Connected {
  readonly kind: 'connected';
  readonly session: Session;
  /** The host is the route's first choice: a backup may accept what the first choice would refuse. */
  readonly primary: boolean;
}

/** The parts of one engine that all of its sessions share. */
export interface SessionContext {
  readonly dialer: Dialer;
  readonly clock: Clock;
  /** Port of the mail hosts. */
  readonly smtpPort: number;
  readonly mailHosts: MailHosts;
  readonly breaker: CircuitBreaker;
  readonly classifier: Classifier;
  readonly listener: SmtpListener;
}

/** One attempt to get a session at a domain's mail hosts. */
export interface ConnectContext {
  /** Caps and circuits are kept under this name. */
  readonly operator: string;
  readonly provider: MailProvider;
  /** Our own address that connects. */
  readonly source: Source;
  readonly signal: CancelSignal;
  /** In whose turn the resolver is asked; null: before those of lists. */
  readonly turn: string | null;
  /** Whose question it is; null: our own. */
  readonly account: string | null;
  /** Called when the session ends while nothing is asked on it. */
  readonly onIdleEnd: () => void;
}

type ConnectResult = Connected | ConnectFailed | RejectedBeforeRcpt;

/** How much a failure explains: of several hosts' failures the first one in this order is reported. */
const SPECIFIC_FIRST: readonly ConnectFailed['problem'][] = [
  'circuit_open',
  'protocol',
  'tls',
  'closed',
  'timeout',
  'refused',
  'unreachable',
  'port25_blocked',
  'source_failed',
  'dns_error',
  'unroutable',
  'no_address',
  'given_up',
];

/**
 * Opens a session at the first mail host that lets us in.
 *
 * Hosts are tried in the order of preference, those that failed us lately last, each at its IPv4 before its IPv6 addresses. A connect
 * failure, 421 and a 4xx banner lead to the next host; a 5xx banner is the answer. Every attempt asks the breaker and the port 25
 * detector first, and reports to them and to the host health what became of it, so that they hold for all routes of the engine.
 *
 * The function never rejects: when no host lets us in, the result is the failure that explains most. An aborted signal ends the attempt
 * under way, and then no further host is tried.
 */
export async function openSession(
  hosts: readonly MailHost[],
  attempt: ConnectContext,
  context: SessionContext,
): Promise<ConnectResult> {
  let failure: ConnectFailed | RejectedBeforeRcpt | null = null;
  const { health, port25 } = attempt.source;
  for (const host of avoidedLast(hosts, health)) {
    const remembered = port25.isBlocked ? null : health.failure(host.name);
    const result = remembered ?? (await openHost(host.name, attempt, context));
    if (result.kind === 'connected') {
      const primary = host.preference === hosts[0]!.preference;
      return { kind: 'connected', session: result.session, primary };
    }
    if (remembered === null && isHostFailure(result)) health.recordFailure(host.name, result);
    failure = moreSpecific(failure, result);
    if (result.kind === 'rejected_before_rcpt' && result.reply.code >= 500) return result;
    if (attempt.signal.aborted || attempt.source.isResting) break;
  }
  return failure!;
}

function avoidedLast(hosts: readonly MailHost[], health: HostHealth): readonly MailHost[] {
  if (hosts.length === 1 || !hosts.some(({ name }) => health.isAvoided(name))) return hosts;
  const isAvoided = ({ name }: MailHost) => health.isAvoided(name);
  return [...hosts.filter((host) => !isAvoided(host)), ...hosts.filter(isAvoided)];
}

async function openHost(name: string, attempt: ConnectContext, context: SessionContext): Promise<ConnectResult> {
  const known = context.mailHosts.addresses(name, attempt.turn, attempt.account);
  const fact = known instanceof Promise ? await known : known;
  if (fact.outcome !== 'addresses') return withoutAddress(name, fact);
  const { source, signal, turn, account } = attempt;
  const family = fact.addresses[0]!.family;
  const first =
    source.family !== null && source.family !== family
      ? connectFailed({ problem: 'source_failed', stage: 'connect', host: name, detail: notReached(family) }, source)
      : await openOneOf(fact.addresses, name, attempt, context);
  if (first?.kind !== 'connect_failed' || family === 6 || source.family === 4 || source.isResting || signal.aborted)
    return first ?? connectFailed({ problem: 'given_up', stage: 'connect', host: name }, source);
  const second = await openOneOf(await context.mailHosts.ipv6Addresses(name, turn, account), name, attempt, context);
  return second === null || second.kind === 'connect_failed' ? moreSpecific(second, first) : second;
}

/** Null when there was no address to try. */
async function openOneOf(
  addresses: readonly HostAddress[],
  host: string,
  attempt: ConnectContext,
  context: SessionContext,
): Promise<ConnectResult | null> {
  let failure: ConnectFailed | null = null;
  for (const { address } of addresses) {
    if (attempt.signal.aborted) break;
    const result = await openAddress(host, address, attempt, context);
    // When it answers, its other addresses are the same host.
    if (result.kind !== 'connect_failed') return result;
    failure = moreSpecific(failure, result);
  }
  return failure;
}

async function openAddress(
  host: string,
  address: string,
  attempt: ConnectContext,
  context: SessionContext,
): Promise<ConnectResult> {
  const { breaker, listener } = context;
  const { operator, provider, source, signal, onIdleEnd } = attempt;
  const { port25, health } = source;
  const pauseMs = breaker.admit(operator, source.keyTo(address), attempt);
  const at = { stage: 'connect', host, address } as const;
  if (pauseMs > 0)
    return connectFailed({ problem: 'circuit_open', ...at, fromCache: true, retryAfterMs: pauseMs }, source);
  if (port25.isBlocked) return connectFailed({ problem: 'port25_blocked', ...at, fromCache: true }, source);

  const open = (starttls: boolean) => Session.open({ host, address, starttls, signal, source }, context, onIdleEnd);
  let opened = await open(health.canEncrypt(host));
  if (opened.kind === 'failed' && opened.problem === 'tls' && provider.starttls !== 'required' && !signal.aborted) {
    health.recordTlsFailure(host);
    opened = await open(false);
  }
  if (opened.kind === 'open') {
    port25.recordAnswer();
    source.recordOpened(address, opened.session.localAddress);
    listener.opened(provider.name, source.name);
    return { kind: 'connected', session: opened.session, primary: true };
  }
  const { detail } = opened;
  if (signal.aborted) return connectFailed({ problem: 'given_up', stage: opened.stage, host, address }, source);
  if (opened.problem === 'source') {
    source.recordFault(detail);
    return connectFailed({ problem: 'source_failed', ...at, detail, retryAfterMs: source.restMs }, source);
  }
  if (opened.localAddress !== null) source.recordOpened(address, opened.localAddress);
  if (!isSilence(opened)) port25.recordAnswer();
  else if (await port25.explainsSilence()) return connectFailed({ problem: 'port25_blocked', ...at }, source);
  if (opened.reply !== null) {
    const { stage, reply } = opened;
    const classification = context.classifier.classify({ stage, reply, provider: provider.name });
    listener.opened(provider.name, source.name);
    listener.refused({ operator, source: source.name, about: classification.class, reply, recipient: null });
    if (isRefusalOfUs(classification)) breaker.recordRefusal(operator, source.keyTo(address), reply);
    const from = { fromCache: false, source: source.name };
    return { kind: 'rejected_before_rcpt', stage, reply, classification, host, address, ...from };
  }
  const problem = opened.problem === 'reply' ? 'protocol' : opened.problem;
  return connectFailed({ problem, stage: opened.stage, host, address, detail }, source);
}

/** A refusal may be a firewall's. */
function isSilence({ stage, problem }: OpenFailure): boolean {
  return stage === 'connect' && (problem === 'timeout' || problem === 'unreachable' || problem === 'refused');
}

function withoutAddress(host: string, fact: Exclude<HostAddressesFact, { outcome: 'addresses' }>): ConnectFailed {
  const problem = fact.outcome === 'none' ? 'no_address' : fact.outcome;
  const detail = fact.outcome === 'dns_error' ? fact.detail : '';
  return connectFailed({ problem, stage: 'dns', host, detail });
}

function connectFailed(
  known: Pick<ConnectFailed, 'problem' | 'stage' | 'host'> & Partial<ConnectFailed>,
  source: Source | null = null,
): ConnectFailed {
  const nothing = { detail: '', address: null, fromCache: false, retryAfterMs: null };
  return { kind: 'connect_failed', ...nothing, ...known, source: source?.name ?? null };
}

function notReached(family: 4 | 6): string {
  return `the source has no IPv${family} address`;
}

/** Another attempt a few seconds later would meet the same failure. */
function isHostFailure(result: ConnectFailed | RejectedBeforeRcpt): boolean {
  return result.kind === 'connect_failed' && ['timeout', 'refused', 'unreachable'].includes(result.problem);
}

function moreSpecific<T extends ConnectFailed | RejectedBeforeRcpt>(a: T | null, b: T): T {
  if (a === null) return b;
  if (a.kind === 'rejected_before_rcpt') return a;
  if (b.kind === 'rejected_before_rcpt') return b;
  return SPECIFIC_FIRST.indexOf(b.problem) < SPECIFIC_FIRST.indexOf(a.problem) ? b : a;
}
