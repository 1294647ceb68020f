import type { Clock, Random } from '../lib/clock.js';
import { type DnsAnswer, isAbsence, isFound, type MxRecord, type Resolver, within } from './domain-dns.js';
import { FoundHosts } from './found-hosts.js';
import { makesUpAddresses, type ResolverFinding } from './resolver-check.js';

export interface ResolverJudgeOptions {
  /** Asked for proofs; it goes to the servers whose answers are judged. */
  readonly resolver: Resolver;
  readonly clock: Clock;
  readonly random: Random;
  /** Domains with MX records that the resolver must know; one at least. */
  readonly knownDomains: readonly string[];
}

/** Between two proofs while questions are asked; denials do not wait for it. */
const PROVE_EVERY_MS = 5_000;
/** The same while the resolver lies: whoever waits for it is served soon after it has recovered. */
const PROVE_LIAR_EVERY_MS = 10_000;
/** A made-up name is part of a proof so often; unlike a known one, every name server above it is asked about it. */
const MAKE_UP_EVERY_MS = 60_000;
/** What has not answered a proof by then has not answered: whoever waits for it is a caller. */
const PATIENCE_MS = 2_000;
const MAX_WITNESSES = 3;
/** Of so many lies it is known when they were believed; what waits for its answer for longer than they took is rare. */
const MAX_BELIEVED_LIES = 8;

const UNTRUSTED = { outcome: 'untrusted' } as const;
export type Untrusted = typeof UNTRUSTED;

/**
 * What it is: the doubt about the resolver of this process, for all that ask it. Behind a captive portal, or where the way to the internet
 * is closed, resolvers answer NXDOMAIN, or one address, for every name; taken for facts about domains, such answers would call every
 * mailbox invalid. A proof asks for domains that the resolver must know, and now and then for a made-up name that it must not. A cache may
 * know the domains and nothing else, so it asks as well for a host that was found and has left every cache (`FoundHosts`).
 *
 * States: `honest`, as at first; `denies`: it denies domains or hosts that it must know, and what it denies is `untrusted`; `makes_up`: it
 * has an address for a made-up name, and all that it says is `untrusted`. Only proofs lead from one state to another. A resolver that was never
 * found honest may have a world of its own, an intranet's or a test bed's: domains whose mail hosts it has found are its witnesses then,
 * and a proof that finds one of them again is as good as one by known domains.
 *
 * Invariants: a denial is believed only after a proof that begins when the denial is here, and when no proof has failed since its question
 * was asked. There is one proof at a time; all who come before it begins share it. Proofs are begun by questions, so that nothing is asked
 * while nobody wants to know. What is found waits for the proof under way.
 *
 * A proof that no cold host takes part in may be a cache's. So a lie may be found late; then all that was denied since a cold host was found
 * last may have been a lie (`mayHaveLied`).
 *
 * At a failure: a proof without answers, or without enough of them, changes no state and proves no denial. DNS that does not answer is
 * no lie.
 */
export class ResolverJudge {
  readonly #listeners: ((finding: ResolverFinding) => void)[] = [];
  #finding: ResolverFinding = 'honest';
  #proving: Promise<boolean> | null = null;
  /** Begins when the one under way has ended. */
  #next: { readonly isFull: boolean; readonly proof: Promise<boolean> } | null = null;
  #provenAt = -Infinity;
  #madeUpAt = -Infinity;
  /** Proofs that it failed. */
  #lies = 0;
  /** Known domains that it has found before: a denial of one of them is a lie. */
  readonly #onceKnown = new Set<string>();
  #wasHonest = false;
  #witnesses: readonly string[] = [];
  readonly #hosts: FoundHosts;
  /** The times in which lies may have been believed. */
  readonly #believedLies: { readonly from: number; readonly to: number }[] = [];

  constructor(private readonly options: ResolverJudgeOptions) {
    this.#hosts = new FoundHosts(options.clock, options.random);
  }

  /** The listener is called when the finding changes: facts learned before are no longer sure. `honest` is what is assumed at first. */
  onChange(listener: (finding: ResolverFinding) => void): void {
    this.#listeners.push(listener);
  }

  /** The same resolver, whose answers are judged. */
  judged(resolver: Resolver): Resolver {
    return {
      mx: (domain, ...whose) => this.askMx(domain, () => resolver.mx(domain, ...whose), true),
      a: (host, ...whose) => this.#askA(host, () => resolver.a(host, ...whose)),
      aaaa: (host, ...whose) => this.ask(() => resolver.aaaa(host, ...whose)),
    };
  }

  /** @param isTwice as in `ask` */
  async askMx(
    domain: string,
    question: () => Promise<DnsAnswer<MxRecord>>,
    isTwice = false,
  ): Promise<DnsAnswer<MxRecord>> {
    const hearing = async () => {
      const answer = await question();
      if (isFound(answer)) await this.#hearOfMailHosts(domain);
      return answer;
    };
    return this.ask(hearing, isTwice);
  }

  /**
   * Asks the resolver anything, and judges its answer.
   * @param isTwice whether a denial is asked for once more: of several servers behind one address one alone may deny everything, and a proof
   *   may meet another one. What is found then is there.
   */
  async ask<A extends DnsAnswer<unknown>>(question: () => Promise<A>, isTwice = false): Promise<A | Untrusted> {
    const proof = this.#isDue() ? this.#prove(false) : (this.#next?.proof ?? this.#proving);
    if (!this.#is('honest')) await proof;
    const lies = this.#lies;
    const answer = await question();
    if (isAbsence(answer)) {
      if (!this.#is('honest') || lies !== this.#lies) return UNTRUSTED;
      const again = isTwice ? within(question(), PATIENCE_MS, this.options.clock) : null;
      const [isProven, second] = await Promise.all([this.#prove(false), again]);
      if (second !== null && isFound(second) && !this.#is('makes_up')) return second as A;
      return isProven && lies === this.#lies ? answer : UNTRUSTED;
    }
    if (isFound(answer)) await this.#proving;
    return this.#is('makes_up') ? UNTRUSTED : answer;
  }

  async #askA(host: string, question: () => Promise<DnsAnswer<string>>): Promise<DnsAnswer<string>> {
    const answer = await this.ask(question, true);
    if (answer.outcome === 'found') this.#hosts.hear(host, answer.ttlSeconds);
    return answer;
  }

  /** Proves it now, with a made-up name. @returns whether the resolver has answered and is believed */
  check(): Promise<boolean> {
    return this.#prove(true);
  }

  /** What the last proof that settled anything has shown; `honest` at first. */
  get finding(): ResolverFinding {
    return this.#finding;
  }

  /** Denials from then on may yet turn out to be lies. */
  get surelyHonestAt(): number {
    return this.#hosts.foundAgainAt;
  }

  /** Whether what was denied at this time was believed although it may have been a lie, as a later proof has shown. */
  mayHaveLied(at: number): boolean {
    return this.#believedLies.some(({ from, to }) => from <= at && at <= to);
  }

  #isDue(): boolean {
    if (this.#proving !== null || this.#next !== null) return false;
    const ageMs = this.options.clock.now() - this.#provenAt;
    return ageMs >= (this.#is('honest') ? PROVE_EVERY_MS : PROVE_LIAR_EVERY_MS);
  }

  #is(finding: ResolverFinding): boolean {
    return this.#finding === finding;
  }

  /** @returns the outcome of a proof that has not begun yet */
  #prove(isFull: boolean): Promise<boolean> {
    if (this.#next === null) this.#next = { isFull, proof: this.#proveNext() };
    else if (isFull) this.#next = { ...this.#next, isFull };
    return this.#next.proof;
  }

  async #proveNext(): Promise<boolean> {
    await this.#proving;
    const { isFull } = this.#next!;
    this.#next = null;
    this.#proving = this.#proveNow(isFull).finally(() => (this.#proving = null));
    return this.#proving;
  }

  async #proveNow(isFull: boolean): Promise<boolean> {
    const { random, clock, knownDomains } = this.options;
    const resolver = this.#patientResolver();
    const asksMadeUp = isFull || !this.#is('honest') || clock.now() - this.#madeUpAt >= MAKE_UP_EVERY_MS;
    const [known, witnesses, isMakingUp, areHostsDenied] = await Promise.all([
      Promise.all(knownDomains.map((domain) => resolver.mx(domain, null))),
      Promise.all(this.#witnesses.map((domain) => resolver.mx(domain, null))),
      asksMadeUp ? makesUpAddresses(resolver, knownDomains, random) : null,
      this.#hosts.areDenied((host) => resolver.a(host, null)),
    ]);
    this.#provenAt = clock.now();
    if (asksMadeUp) this.#madeUpAt = this.#provenAt;
    const denied = knownDomains.filter((_, i) => isAbsence(known[i]!));
    for (const [i, answer] of known.entries()) if (isFound(answer)) this.#onceKnown.add(knownDomains[i]!);
    const isDenied = denied.length === knownDomains.length || denied.some((domain) => this.#onceKnown.has(domain));
    const knows = !isDenied && !areHostsDenied && known.some(isFound);
    const hasOwnWorld = !knows && !areHostsDenied && !this.#wasHonest && witnesses.some(isFound);
    const isLying =
      !hasOwnWorld && (isMakingUp === true || areHostsDenied || (isDenied && !witnesses.some(isUnsettled)));
    if (isLying) this.#lies += 1;
    // What kind of liar it is decides about what it finds.
    if (isLying && !asksMadeUp) return this.#proveNow(true);
    if (isLying) this.#change(isMakingUp === true ? 'makes_up' : 'denies');
    else if (hasOwnWorld) this.#change('honest');
    else if (knows && isMakingUp === false) this.#becomeHonest();
    return (knows || hasOwnWorld) && this.#is('honest');
  }

  /** Where it was never found honest, this may be a world of its own; a proof says whether it is. */
  async #hearOfMailHosts(domain: string): Promise<void> {
    if (this.#wasHonest || this.#witnesses.includes(domain)) return;
    if (this.#is('honest') && this.#witnesses.length === MAX_WITNESSES) return;
    this.#witnesses = [domain, ...this.#witnesses].slice(0, MAX_WITNESSES);
    // A proof under way does not ask for it.
    if (!this.#is('honest') || this.#proving !== null) await this.#prove(false);
  }

  #becomeHonest(): void {
    this.#wasHonest = true;
    this.#witnesses = [];
    this.#change('honest');
  }

  #patientResolver(): Pick<Resolver, 'mx' | 'a'> {
    const { resolver, clock } = this.options;
    return {
      mx: (domain, turn) => within(resolver.mx(domain, turn), PATIENCE_MS, clock),
      a: (host, turn) => within(resolver.a(host, turn), PATIENCE_MS, clock),
    };
  }

  #change(finding: ResolverFinding): void {
    if (this.#is(finding)) return;
    if (this.#is('honest')) this.#believedLies.push({ from: this.surelyHonestAt, to: this.options.clock.now() });
    if (this.#believedLies.length > MAX_BELIEVED_LIES) this.#believedLies.shift();
    this.#finding = finding;
    // A portal has an address for hosts that do not exist.
    if (finding === 'makes_up') this.#hosts.forget();
    for (const listener of this.#listeners) listener(finding);
  }
}

function isUnsettled(answer: DnsAnswer<unknown>): boolean {
  return !isFound(answer) && !isAbsence(answer);
}
