import type { KnownMailHosts, MailHosts, MailHostsFact } from './dns/mail-hosts.js';
import { judge } from './judge/judge.js';
import type { ControlFinding, Findings, MailFinding } from './judge/findings.js';
import type { Lists } from './lists/lists.js';
import type { Clock } from './ports.js';
import type { MailProvider, MailProviders } from './providers/providers.js';
import { speaksOfMailbox, type Controls, type MailDomain, type RefusalControl } from './smtp/controls.js';
import type { MailRoute } from './smtp/mail-route.js';
import type { MailRoutes } from './smtp/mail-routes.js';
import type { Allowance, MailboxAnswer, Question, Replied } from './smtp/question.js';
import type { SoftRefusals } from './smtp/soft-refusals.js';
import { parseAddress } from './syntax/address.js';
import type { Suggester } from './syntax/suggest.js';
import type { Address, CatchAll, ListFlags, ParsedAddress, Verification } from './types.js';

/** What inquiries are made with; one for an engine. */
export interface InquiryWorld {
  readonly clock: Clock;
  readonly lists: () => Lists;
  readonly suggester: Suggester;
  readonly providers: MailProviders;
  readonly mailHosts: MailHosts;
  readonly routes: MailRoutes;
  readonly controls: Controls;
  readonly softRefusals: SoftRefusals;
}

const NO_FLAGS: ListFlags = { disposable: false, free: false, privacyRelay: false, spamTrap: false, role: false };

/**
 * One address on its way to a verdict: syntax, lists, DNS, the mailbox, and the controls that its answer calls for. Calls
 * back exactly once. Works without a promise where facts are known, because a million addresses pass here.
 */
export class Inquiry implements Question, Findings {
  #address: Address | null = null;
  #route: MailRoute | null = null;
  #provider: MailProvider | null = null;
  #hosts: KnownMailHosts | null = null;
  /** The mailbox's answer, while a control is waited for. */
  #answer: MailboxAnswer | null = null;
  #done = false;

  // As a question to a mail route:
  address = '';
  needsSmtpUtf8 = false;
  ownTransaction = false;
  cancelled = false;
  asked = false;
  tries = 0;
  readonly keepWarm: boolean;
  triedNullSender = false;
  behind: Question | null = null;

  // As what is judged:
  readonly parsed: ParsedAddress;
  flags = NO_FLAGS;
  mail: MailFinding | null = null;
  checkedAt = 0;

  /** Among the open ones; kept by whoever asks about many. */
  place = 0;

  constructor(
    readonly email: string,
    private readonly world: InquiryWorld,
    readonly urgent: boolean,
    private readonly done: (verification: Verification, inquiry: Inquiry) => void,
    /** For whoever asks about many. */
    readonly index = 0,
    readonly allowance: Allowance | null = null,
  ) {
    this.parsed = parseAddress(email);
    this.keepWarm = urgent;
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
    return this.world.suggester.suggestFor(this.parsed);
  }

  begin(): void {
    if (this.#done) return;
    const { parsed } = this;
    if (!parsed.ok) return this.#finish(null);
    const { address } = parsed;
    if (address.neverResolves) {
      const detail = 'a special-use name that never resolves (RFC 6761)';
      return this.#finish({ kind: 'domain', outcome: 'domain_not_found', detail, fromCache: false });
    }
    const fact = this.world.mailHosts.find(address.domain);
    if (fact instanceof Promise) void fact.then((learned) => this.#findRoute(address, learned));
    else this.#findRoute(address, fact);
  }

  /** The time budget is used up: the verdict is `unknown`, with what is known so far. */
  expire(): void {
    if (this.#done) return;
    this.cancelled = true;
    if (this.#route === null) return this.#finish({ kind: 'expired', stage: 'dns', answer: null });
    if (this.#answer === null) this.#route.forget();
    this.#finish({
      kind: 'expired',
      stage: this.#answer?.stage ?? (this.asked ? 'rcpt' : 'connect'),
      answer: this.#answer,
    });
  }

  /** Nobody wants the verdict any more: `done` is not called. */
  cancel(): void {
    if (this.#done) return;
    this.#done = this.cancelled = true;
    if (this.#route !== null && this.#answer === null && this.address !== '') this.#route.forget();
  }

  #findRoute(address: Address, fact: MailHostsFact): void {
    if (this.#done) return;
    if (fact.outcome !== 'hosts') {
      const detail = fact.outcome === 'dns_error' ? fact.detail : fact.outcome;
      return this.#finish({ kind: 'domain', outcome: fact.outcome, detail, fromCache: fact.fromCache });
    }
    this.#hosts = fact;
    this.#route = this.world.routes.to(fact);
    this.#provider = this.#route.provider;
    if (this.#provider.rcpt === 'hides') return this.#finish({ kind: 'hidden' });
    this.#address = address;
    this.address = address.normalized;
    this.needsSmtpUtf8 = address.needsSmtpUtf8;
    // SMTPUTF8 is a parameter of MAIL FROM, so it holds for the whole transaction (RFC 6531 section 3.4).
    this.ownTransaction = address.needsSmtpUtf8;
    this.#route.ask(this);
  }

  answer(answer: MailboxAnswer): void {
    this.#answer = answer;
    if (answer.kind !== 'replied' || answer.stage !== 'rcpt') return this.#conclude(null, null);
    switch (answer.classification.class) {
      case 'accepted':
        return this.#learnCatchAll();
      case 'ambiguous':
        return this.#holdAgainstControl(answer);
      case 'relay_denied':
        return this.#askEveryHost();
      case 'not_found_soft':
        return this.#conclude(null, this.world.softRefusals.isRepeated(this.address) ? 'repeated' : null);
      default:
        return this.#conclude(null, null);
    }
  }

  #learnCatchAll(): void {
    const { providers, controls } = this.world;
    const { domain } = this.#address!;
    if (this.#provider!.ownDomainsCatchAll === 'no' && providers.forDomain(domain) === this.#provider) {
      return this.#conclude('no', 'known_constant');
    }
    const known = controls.knownCatchAll(domain, this.#route!);
    if (known !== undefined) return this.#conclude(known, null);
    void controls.catchAll(this.#domain()).then(({ state }) => this.#conclude(state, null));
  }

  #holdAgainstControl(answer: Replied): void {
    const conclude = (control: RefusalControl) =>
      this.#conclude(null, speaksOfMailbox(answer, this.address, control) ? 'refuses_like_made_up' : null);
    const control = this.world.controls.refusal(this.#domain());
    if (control instanceof Promise) void control.then(conclude);
    else conclude(control);
  }

  #askEveryHost(): void {
    const ways = this.world.routes.each(this.#hosts!.hosts);
    const conclude = (isServed: boolean) => this.#conclude(null, isServed ? null : 'domain_not_served');
    const served = this.world.controls.served(this.#domain(), ways);
    if (served instanceof Promise) void served.then(conclude);
    else conclude(served);
  }

  #domain(): MailDomain {
    return { domain: this.#address!.domain, route: this.#route!, allowance: this.allowance };
  }

  #conclude(catchAll: CatchAll | null, control: ControlFinding | null): void {
    this.#finish({ kind: 'answered', answer: this.#answer!, catchAll, control });
  }

  #finish(mail: MailFinding | null): void {
    if (this.#done) return;
    this.#done = true;
    const { clock, lists } = this.world;
    if (this.parsed.ok) this.flags = lists().of(this.parsed.address);
    this.mail = mail;
    this.checkedAt = clock.now();
    this.done(judge(this), this);
  }
}
