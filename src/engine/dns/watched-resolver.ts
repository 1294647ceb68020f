import type { Clock, DnsAnswer, MxRecord, Random, Resolver } from '../ports.js';
import { checkResolver, isDenial, type ResolverFinding } from './resolver-check.js';

export interface WatchedResolverOptions {
  readonly resolver: Resolver;
  readonly clock: Clock;
  readonly random: Random;
  /** Domains with MX records that the resolver must know; one at least. */
  readonly knownDomains: readonly string[];
  /** Called when the finding changes: facts learned before are no longer sure. `honest` is what is assumed at first. */
  readonly onChange: (finding: ResolverFinding) => void;
}

/** Between two checks while questions are asked. */
const CHECK_EVERY_MS = 60_000;
/** The same while the resolver lies: whoever waits for it is served soon after it has recovered. */
const CHECK_LIAR_EVERY_MS = 10_000;
/** So many domains without mail in a row are a reason to check at once, though not more often than this. */
const SUSPICIOUS_DENIALS = 10;
const CHECK_SUSPECT_EVERY_MS = 1_000;
/** So long an answer waits for a check that is under way: it may be stuck behind the questions of a large batch. */
const CHECK_PATIENCE_MS = 2_000;

const UNTRUSTED = { outcome: 'untrusted' } as const;
export type Untrusted = typeof UNTRUSTED;

/**
 * What it is: the resolver, and the doubt about it. Behind a captive portal, or where the way to the internet is closed, resolvers
 * answer NXDOMAIN, or one address, for every name; taken for facts about domains, such answers would call every mailbox invalid.
 *
 * States: `honest`, as at first; `denies`: it knows none of the known domains, and what it denies is `untrusted`; `makes_up`: it has an
 * address for a made-up name, and all that it says is `untrusted`. Checks lead from each state to each other. To `honest` also the mail hosts of
 * a domain lead: a captive portal has addresses for names and no mail hosts, so that this is a world of its own, an intranet's or a test
 * bed's. It is believed until no mail hosts were found since the check before, nor within a minute.
 *
 * Invariants: there is one check at a time. It is begun by a question, so that nothing is asked while nobody wants to know, when the last
 * one is a minute old, or earlier when denials pile up or the resolver lies. An answer that comes during a check waits for its end, for two seconds.
 *
 * At a failure: a check without answers, or without enough of them, changes nothing. DNS that does not answer is no lie.
 */
export class WatchedResolver implements Resolver {
  #finding: ResolverFinding = 'honest';
  /** The check under way. */
  #checking: Promise<boolean> | null = null;
  /** Its end, or that of our patience with it. */
  #awaited = Promise.resolve();
  #checkedAt = -Infinity;
  /** Domains without MX records in a row, since the last check. */
  #denials = 0;
  /** A domain that was asked about during the check under way has mail hosts. */
  #foundMeanwhile = false;
  /** It does not pass the check, and knows the mail hosts of some domains. */
  #hasOwnWorld = false;
  /** A domain that was asked about since the last check has mail hosts. */
  #hasFound = false;
  #foundAt = -Infinity;

  constructor(private readonly options: WatchedResolverOptions) {}

  async mx(domain: string, turn?: string | null): Promise<DnsAnswer<MxRecord>> {
    const answer = await this.#doubted(() => this.options.resolver.mx(domain, turn), true);
    this.#denials = isDenial(answer) ? this.#denials + 1 : 0;
    if (this.#denials < SUSPICIOUS_DENIALS) return answer;
    // Denials of questions that were asked together: they are believed after a check.
    if (this.#isCheckDue()) void this.check();
    if (this.#checking !== null) await this.#awaited;
    return this.#isFound('honest') ? answer : UNTRUSTED;
  }

  a(host: string, turn?: string | null): Promise<DnsAnswer<string>> {
    return this.ask(() => this.options.resolver.a(host, turn));
  }

  aaaa(host: string, turn?: string | null): Promise<DnsAnswer<string>> {
    return this.ask(() => this.options.resolver.aaaa(host, turn));
  }

  /** Asks the same resolver any other question, and doubts its answer alike. */
  ask<A extends DnsAnswer<unknown>>(question: () => Promise<A>): Promise<A | Untrusted> {
    return this.#doubted(question, false);
  }

  /** Begins a check, or joins the one under way. @returns whether the resolver has answered it and is believed */
  check(): Promise<boolean> {
    if (this.#checking === null) {
      this.#checking = this.#check().finally(() => (this.#checking = null));
      this.#awaited = this.#withPatience(this.#checking);
    }
    return this.#checking;
  }

  async #doubted<A extends DnsAnswer<unknown>>(question: () => Promise<A>, isAboutMx: boolean): Promise<A | Untrusted> {
    if (this.#isCheckDue()) void this.check();
    const isDoubted = this.#checking !== null || !this.#isFound('honest');
    const answer = await question();
    if (isAboutMx && answer.outcome === 'found') {
      this.#hasFound = true;
      this.#foundAt = this.options.clock.now();
      if (isDoubted) this.#hearOfMailHosts();
    }
    if (this.#checking !== null) await this.#awaited;
    if (this.#isFound('honest')) return answer;
    return this.#isFound('makes_up') || isDenial(answer) ? UNTRUSTED : answer;
  }

  #isCheckDue(): boolean {
    if (this.#checking !== null) return false;
    const ageMs = this.options.clock.now() - this.#checkedAt;
    if (!this.#isFound('honest')) return ageMs >= CHECK_LIAR_EVERY_MS;
    return ageMs >= CHECK_EVERY_MS || (this.#denials >= SUSPICIOUS_DENIALS && ageMs >= CHECK_SUSPECT_EVERY_MS);
  }

  #isFound(finding: ResolverFinding): boolean {
    return this.#finding === finding;
  }

  #hearOfMailHosts(): void {
    this.#foundMeanwhile = true;
    if (this.#isFound('honest')) return;
    this.#hasOwnWorld = true;
    this.#change('honest');
  }

  async #check(): Promise<boolean> {
    this.#foundMeanwhile = false;
    const { resolver, knownDomains, random, clock } = this.options;
    const finding = await checkResolver(resolver, knownDomains, random);
    this.#checkedAt = clock.now();
    this.#denials = 0;
    if (finding === null) return false;
    // A world of its own is believed as long as it is seen: what a captive portal lets through is no such world for long.
    const hasFound = this.#hasFound || this.#checkedAt - this.#foundAt <= CHECK_EVERY_MS;
    const isSeen = this.#foundMeanwhile || (this.#hasOwnWorld && hasFound);
    this.#hasOwnWorld = finding !== 'honest' && isSeen;
    this.#hasFound = false;
    this.#change(this.#hasOwnWorld ? 'honest' : finding);
    return this.#isFound('honest');
  }

  #withPatience(checking: Promise<boolean>): Promise<void> {
    return new Promise((resolve) => {
      const cancelTimer = this.options.clock.after(CHECK_PATIENCE_MS, resolve);
      void checking.then(() => resolve()).finally(cancelTimer);
    });
  }

  #change(finding: ResolverFinding): void {
    if (this.#isFound(finding)) return;
    this.#finding = finding;
    this.options.onChange(finding);
  }
}
