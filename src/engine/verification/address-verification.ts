import type { KnownMailHosts, MailHostsFact, MailHosts } from '../../mail-dns/mail-hosts.js';
import { judge } from '../judge/judge.js';
import type { ControlOutcome, JudgeInput, MailOutcome } from '../judge/causes.js';
import type { MailProvider, MailProviders } from '../lists/providers.js';
import type { MailDomain, ControlProbes } from '../smtp/probe/control-probes.js';
import { type ConnectFailed, LEFT_ALONE, slowedDown } from '../smtp/connect/connect-result.js';
import { isRefusalOfUs } from '../smtp/connect/breaker.js';
import type { MxRoute } from '../smtp/probe/mx-route.js';
import type { Allowance, MailboxAnswer, RecipientProbe, Replied, Asker } from '../smtp/probe/recipient-probe.js';
import { parseAddress } from '../syntax/address.js';
import type { Address, CatchAll, ListFlags, ParsedAddress, Verification, Witness } from '../types.js';
import type { DisposableHosts } from '../lists/disposable-hosts.js';
import type { Lists } from '../lists/lists.js';
import type { IsLeftAlone, NameRuns } from '../ports.js';
import type { Clock } from '../../lib/clock.js';
import type { AmbiguousRefusals, MeasuredOperators, TransientRefusals } from '../smtp/probe/refusals.js';
import type { MxRoutes } from '../smtp/probe/mx-routes.js';
import type { Sources } from '../smtp/connect/sources.js';
import type { Suggester } from '../syntax/suggest.js';

/** Has to wait for its turn; how long is not known yet. */
const SLOWED_DOWN = slowedDown(0);

/** What the addresses that one search for a person tries share. */
export interface SearchAllowance extends Allowance {
  /** The account is suspected to search for invented names, and this search has got its turn. */
  hasTurn: boolean;
}

const NO_FLAGS: ListFlags = { disposable: false, free: false, privacyRelay: false, spamTrap: false, role: false };

/**
 * One address on its way to a verdict: syntax, lists, DNS, the mailbox, and the control probes that its answer calls for.
 *
 * A verification is new, finding its route, waiting for the mailbox's answer, waiting for a control probe, or done. It calls back exactly
 * once, when it is done, or never if it was cancelled before. Where facts are known a step follows the last one without a promise,
 * because a million addresses pass here.
 *
 * For the same reason one object plays three roles, where three objects for each address would cost memory and time:
 * - to a route it is a `RecipientProbe`, the question about one recipient, with the members that queue and probe loop keep;
 * - to the judge it is the `JudgeInput`, everything known about the address;
 * - to the stream that started it, it is a member of its list, with an index in the input and a position among those that are open.
 */
export class AddressVerification implements RecipientProbe, JudgeInput {
  #address: Address | null = null;
  #route: MxRoute | null = null;
  #provider: MailProvider | null = null;
  #hosts: KnownMailHosts | null = null;
  /** The mailbox's answer, while the verification waits for a control probe. */
  #answer: MailboxAnswer | null = null;
  #done = false;
  /** It is in the route's queue, or taken from it and not answered. */
  #isQueued = false;
  /** The account is suspected to search for invented names, and this question has got its turn. */
  hasTurn = false;

  // Members that the route's queue uses:
  address = '';
  needsSmtpUtf8 = false;
  ownTransaction = false;
  isCancelled = false;
  wasSent = false;
  source: string | null = null;
  failedOver = false;
  lostConnections = 0;
  triedNullSender = false;
  faultyHosts = 0;
  crowdedConnections = 0;
  next: RecipientProbe | null = null;

  // Members that the judge reads:
  readonly parsed: ParsedAddress;
  flags = NO_FLAGS;
  mail: MailOutcome | null = null;
  checkedAt = 0;

  // Position that the stream keeps:
  position = 0;

  constructor(
    readonly email: string,
    private readonly context: VerificationContext,
    readonly asker: Asker,
    private readonly onDone: (verification: Verification, done: AddressVerification) => void,
    /** Position in the stream's input. */
    readonly index = 0,
    readonly allowance: SearchAllowance | null = null,
  ) {
    this.parsed = parseAddress(email);
  }

  get provider(): string | null {
    return this.#provider?.title ?? null;
  }

  get gateway(): boolean {
    return this.#provider?.gateway ?? false;
  }

  get mxHost(): string | null {
    return this.#hosts?.hosts[0]?.name ?? null;
  }

  get didYouMean(): string | null {
    const takesNoMail = this.mail?.kind === 'domain' && this.mail.outcome !== 'dns_error';
    return this.context.suggester.suggestFor(this.parsed, takesNoMail);
  }

  get refusal(): ConnectFailed | null {
    if (this.context.isLeftAlone(this.#address!.domain, this.#hosts!.hosts)) return LEFT_ALONE;
    const { nameRuns } = this.context;
    if (nameRuns === undefined || this.asker.account === null || this.#turnHolder.hasTurn) return null;
    return nameRuns.isSuspected(this.asker.account, this.#address!.domain) ? SLOWED_DOWN : null;
  }

  /** A search for a person takes one turn for all the addresses that it tries. */
  get #turnHolder(): { hasTurn: boolean } {
    return this.allowance ?? this;
  }

  start(): void {
    if (this.#done) return;
    const { parsed } = this;
    if (!parsed.ok) return this.#finish(null);
    const { address } = parsed;
    if (address.neverResolves) {
      const detail = 'a special-use name that never resolves (RFC 6761)';
      return this.#finish({ kind: 'domain', outcome: 'domain_not_found', detail, fromCache: false });
    }
    const fact = this.context.mailHosts.find(address.domain, this.asker.turn, this.asker.account);
    if (fact instanceof Promise) void fact.then((learned) => this.#findRoute(address, learned));
    else this.#findRoute(address, fact);
  }

  /** The time budget is used up: the verdict is `unknown`, with the facts known so far. */
  expire(): void {
    if (this.#done) return;
    this.isCancelled = true;
    if (this.#route === null) return this.#finish({ kind: 'expired', stage: 'dns', answer: null });
    if (this.#isQueued) this.#route.probeCancelled();
    this.#finish({
      kind: 'expired',
      stage: this.#answer?.stage ?? (this.wasSent ? 'rcpt' : 'connect'),
      answer: this.#answer,
    });
  }

  /** Nobody wants the verdict any more: `onDone` is not called. */
  cancel(): void {
    if (this.#done) return;
    this.#done = this.isCancelled = true;
    if (this.#isQueued) this.#route!.probeCancelled();
  }

  /** It is open, and its recipient was never named to a mail host: it may be cancelled and begun anew, and nobody notices. */
  get isUnasked(): boolean {
    return !this.#done && !this.wasSent && this.#answer === null;
  }

  #findRoute(address: Address, fact: MailHostsFact): void {
    if (this.#done) return;
    if (fact.outcome !== 'hosts') {
      const detail = fact.outcome === 'dns_error' ? fact.detail : fact.outcome;
      return this.#finish({ kind: 'domain', outcome: fact.outcome, detail, fromCache: fact.fromCache });
    }
    this.#hosts = fact;
    this.#route = this.context.routes.routeTo(fact);
    this.#provider = this.#route.provider;
    if (this.#provider.rcpt === 'hides') return this.#finish({ kind: 'hidden' });
    this.#address = address;
    this.address = address.normalized;
    this.needsSmtpUtf8 = address.needsSmtpUtf8;
    // SMTPUTF8 is a parameter of MAIL FROM, so it holds for the whole transaction (RFC 6531 section 3.4).
    this.ownTransaction = address.needsSmtpUtf8;
    this.source ??= this.context.sources.greylistedBy(this.address);
    const { refusal } = this;
    if (refusal !== null) return this.answer(refusal);
    this.#enqueue(this.#route);
  }

  #enqueue(route: MxRoute): void {
    this.#isQueued = true;
    route.enqueue(this);
  }

  async #askInTurn(): Promise<void> {
    const waitMs = await this.context.nameRuns!.takeTurn(this.asker.account!, this.#address!.domain);
    if (this.#done) return;
    if (waitMs > 0) return this.answer(slowedDown(waitMs));
    this.#turnHolder.hasTurn = true;
    // A route that nobody used meanwhile is closed.
    this.#route = this.context.routes.routeTo(this.#hosts!);
    this.#enqueue(this.#route);
  }

  answer(answer: MailboxAnswer): void {
    this.#isQueued = false;
    if (answer === SLOWED_DOWN) return void this.#askInTurn();
    this.#answer = answer;
    this.#rememberSource(answer);
    if (answer.kind !== 'replied' || answer.stage !== 'rcpt') return this.#conclude(null, null);
    switch (answer.classification.class) {
      case 'accepted':
        return this.#checkCatchAll();
      case 'ambiguous':
        return this.#settleRefusal(answer);
      case 'relay_denied':
        return this.#checkIsServed();
      case 'not_found_soft':
        return this.#conclude(null, this.context.transientRefusals.recordAndCheck(this.address) ? 'repeated' : null);
      default:
        return this.#conclude(null, null);
    }
  }

  /** A 4xx asks to come back (RFC 5321 section 4.2.1): greylisting would begin anew with another source. */
  #rememberSource(answer: MailboxAnswer): void {
    if (answer.kind !== 'replied' && answer.kind !== 'rejected_before_rcpt') return;
    const { reply, classification } = answer;
    if (reply.code < 400 || reply.code >= 500) return;
    // These are about our address, and another source may be better off.
    if (isRefusalOfUs(classification) || classification.class === 'rate_limited') return;
    this.context.sources.recordGreylisted(this.address, answer.source);
  }

  #checkCatchAll(): void {
    const { providers, controlProbes } = this.context;
    const { domain } = this.#address!;
    const provider = this.#provider!;
    if (provider.ownDomainsCatchAll !== null && providers.forDomain(domain) === provider)
      return this.#believe(provider);
    const known = controlProbes.knownCatchAll(domain, this.#route!);
    if (known !== undefined) return this.#conclude(known, null);
    void controlProbes.learnCatchAll(this.#domain()).then(({ state }) => this.#conclude(state, null));
  }

  /** The operator is believed to refuse unknown names on its own domains, until it is seen to accept them. */
  #believe({ name, ownDomainsCatchAll }: MailProvider): void {
    const { measuredOperators } = this.context;
    if (ownDomainsCatchAll === 'measured') {
      // Before the verdict is told: whoever waits for it may want nothing more of the route.
      if (measuredOperators.isDue(name))
        void measuredOperators.measure(name, { ...this.#domain(), turn: null, account: null, allowance: null });
      if (measuredOperators.acceptsAll(name)) return this.#conclude('yes', null);
    }
    this.#conclude('no', 'known_constant');
  }

  /** In a list, what settles it may come with the host's next answers. */
  #settleRefusal(answer: Replied): void {
    const settle = () => {
      if (this.#done) return;
      const settled = this.context.ambiguousRefusals.settle(answer, this.address, this.#domain());
      void settled.then((witness) => this.#conclude(null, null, witness));
    };
    if (this.asker.urgent) settle();
    else this.#route!.whenAnswered(settle);
  }

  #checkIsServed(): void {
    const { routes, controlProbes } = this.context;
    const conclude = (isServed: boolean) => this.#conclude(null, isServed ? null : 'domain_not_served');
    const served = controlProbes.learnIsServed(this.#domain(), this.#hosts!.hosts, (host) => routes.routeToHost(host));
    if (served instanceof Promise) void served.then(conclude);
    else conclude(served);
  }

  #domain(): MailDomain {
    const source = this.context.sources.isSingle ? null : (this.#answer?.source ?? null);
    const {
      asker: { turn, account },
      allowance,
    } = this;
    return { domain: this.#address!.domain, route: this.#route!, turn, account, source, allowance };
  }

  #conclude(catchAll: CatchAll | null, control: ControlOutcome | null, witness: Witness | null = null): void {
    this.#finish({ kind: 'answered', answer: this.#answer!, catchAll, control, witness });
  }

  #finish(mail: MailOutcome | null): void {
    if (this.#done) return;
    this.#done = true;
    const { clock, disposableHosts } = this.context;
    const isAccepted = mail?.kind === 'answered' && mail.catchAll !== null;
    if (this.parsed.ok)
      this.flags = disposableHosts.flagsOf(this.parsed.address, this.#hosts?.hosts ?? null, isAccepted);
    this.mail = mail;
    this.checkedAt = clock.now();
    const verification = judge(this);
    if (mail?.kind === 'answered') this.#recordName(mail.answer, verification);
    this.onDone(verification, this);
  }

  #recordName(answer: MailboxAnswer, { verdict, reason }: Verification): void {
    const { nameRuns } = this.context;
    if (nameRuns === undefined || this.asker.account === null || answer.kind !== 'replied' || answer.stage !== 'rcpt')
      return;
    // A search tells of its person, however many addresses it has tried.
    if (this.allowance !== null || verdict === 'unknown') return;
    nameRuns.record(this.asker.account, this.#address!.domain, reason !== 'mailbox_not_found');
  }
}

/** The parts of one engine that all of its verifications share. */
export interface VerificationContext {
  readonly clock: Clock;
  readonly lists: () => Lists;
  readonly disposableHosts: DisposableHosts;
  readonly suggester: Suggester;
  readonly providers: MailProviders;
  readonly mailHosts: MailHosts;
  readonly routes: MxRoutes;
  readonly controlProbes: ControlProbes;
  readonly measuredOperators: MeasuredOperators;
  readonly ambiguousRefusals: AmbiguousRefusals;
  readonly transientRefusals: TransientRefusals;
  readonly isLeftAlone: IsLeftAlone;
  readonly nameRuns: NameRuns | undefined;
  readonly sources: Sources;
}
