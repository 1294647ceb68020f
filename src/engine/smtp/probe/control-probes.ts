import { FactCache, type Learned } from '../../../mail-dns/fact-cache.js';
import type { MailHost } from '../../../mail-dns/mx-set.js';
import type { Clock, Random } from '../../../lib/clock.js';
import type { IsLeftAlone } from '../../ports.js';
import type { CatchAll } from '../../types.js';
import { LEFT_ALONE } from '../connect/connect-result.js';
import type { MxRoute } from './mx-route.js';
import { refusalWords } from '../reply/bare-refusal.js';
import type { Allowance, MailboxAnswer, RecipientProbe } from './recipient-probe.js';
import type { WitnessedName } from './witnesses.js';

/** A domain and the route to its mail hosts. */
export interface MailDomain {
  readonly domain: string;
  readonly route: MxRoute;
  /** The turn of the verification that wants to know. */
  readonly turn: string | null;
  /** Whose verification it is; null: our own question. */
  readonly account: string | null;
  /** The source whose answer is to be understood; null: there is one only. */
  readonly source: string | null;
  /** The allowance of the search that wants to know. */
  readonly allowance?: Allowance | null;
}

interface CatchAllFact {
  readonly state: CatchAll;
  /** The key of the route whose mail hosts said it. */
  readonly route: string;
}

/** Answers that a refusal without a reason is held against: as little as is compared, because many domains' are remembered. */
export interface RefusalControl {
  readonly postmaster: 'accepted' | 'refused' | 'undetermined';
  /** How a made-up name is refused for good; null when it is accepted, put off or not answered. */
  readonly madeUpWording: string | null;
}

const DAY_SECONDS = 86_400;
const CATCH_ALL_LIFE_SECONDS = { yes: 7 * DAY_SECONDS, no: DAY_SECONDS, undetermined: 3_600 } as const;
const REFUSAL_LIFE_SECONDS = 3_600;
/** Short, because a host may turn against a client in the middle of a list. */
const STILL_SAID_LIFE_SECONDS = 30;
/** A control that got no answer is asked again soon. */
const UNANSWERED_LIFE_SECONDS = 60;
const NOT_SERVED_LIFE_SECONDS = DAY_SECONDS;
const MAX_FACTS = 20_000;
const MAX_HOSTS = 5;

/** Probes whose right answer is known beforehand, to interpret the answers to others. A result holds for all addresses of a domain, and is remembered. */
export class ControlProbes {
  /** Catch-all facts by domain, believed only for the mail hosts that gave the answer: a key of both would cost a new text for each address. */
  readonly #catchAll: FactCache<CatchAllFact>;
  readonly #refusal: FactCache<RefusalControl>;
  readonly #stillSaid: FactCache<boolean>;
  readonly #served: FactCache<boolean>;

  constructor(
    clock: Clock,
    private readonly random: Random,
    private readonly isLeftAlone: IsLeftAlone = () => false,
  ) {
    this.#catchAll = new FactCache({ clock, maxEntries: MAX_FACTS });
    this.#refusal = new FactCache({ clock, maxEntries: MAX_FACTS });
    this.#stillSaid = new FactCache({ clock, maxEntries: MAX_FACTS });
    this.#served = new FactCache({ clock, maxEntries: MAX_FACTS });
  }

  knownCatchAll(domain: string, route: Pick<MxRoute, 'key'>): CatchAll | undefined {
    const fact = this.#catchAll.peek(domain);
    return fact?.route === route.key ? fact.state : undefined;
  }

  /**
   * Learns whether the domain accepts any local part; to be called only after it has accepted an address. The first probe has a plausible
   * name, because some gateways refuse names that look random. A yes is confirmed by a second probe with a random one.
   */
  learnCatchAll(at: MailDomain): Promise<CatchAllFact> {
    // Most callers come while the fact is being learned: a function for each of them would cost memory.
    return this.#catchAll.pending(at.domain) ?? this.#catchAll.learn(at.domain, () => this.#askMadeUp(at));
  }

  async #askMadeUp(at: MailDomain): Promise<Learned<CatchAllFact>> {
    const first = recipientOutcome(await this.#ask(at, `${plausibleLocalPart(this.random)}@${at.domain}`));
    const outcome =
      first === 'accepted' ? confirmed(await this.#ask(at, `${randomLocalPart(this.random)}@${at.domain}`)) : first;
    const state = outcome === 'accepted' ? 'yes' : outcome === 'refused' ? 'no' : 'undetermined';
    return { value: { state, route: at.route.key }, lifeSeconds: CATCH_ALL_LIFE_SECONDS[state] };
  }

  /** Asks one made-up name, and remembers nothing. */
  async askMadeUpName(at: MailDomain, shape: 'plausible' | 'random'): Promise<ProbeResult & { outcome: Outcome }> {
    const name = shape === 'plausible' ? plausibleLocalPart(this.random) : randomLocalPart(this.random);
    const result = await this.#ask(at, `${name}@${at.domain}`);
    return { ...result, outcome: recipientOutcome(result) };
  }

  /** Learns how the domain answers about an address that must exist and one that does not. */
  learnRefusal(at: MailDomain): RefusalControl | Promise<RefusalControl> {
    const known = this.#refusal.peek(factKey(at));
    if (known !== undefined) return known;
    return this.#refusal.learn(factKey(at), async () => {
      const [madeUp, postmaster] = await Promise.all([
        this.#ask(at, `${plausibleLocalPart(this.random)}@${at.domain}`),
        this.#ask(at, `postmaster@${at.domain}`),
      ]);
      const isAnswered = [madeUp, postmaster].every(({ answer }) => answer.kind === 'replied');
      return {
        value: { postmaster: outcomeOfPostmaster(postmaster), madeUpWording: refusalWording(madeUp) },
        lifeSeconds: isAnswered ? REFUSAL_LIFE_SECONDS : UNANSWERED_LIFE_SECONDS,
      };
    });
  }

  /** Asks again about names that the hosts have spoken of; for some seconds the answer stands for the domain, whichever names were asked. */
  learnIsStillSaid(at: MailDomain, names: readonly WitnessedName[]): boolean | Promise<boolean> {
    const known = this.#stillSaid.peek(factKey(at));
    if (known !== undefined) return known;
    return this.#stillSaid.learn(factKey(at), async () => {
      const results = await Promise.all(names.map(({ address }) => this.#ask(at, address)));
      const value = results.every((result, index) => recipientOutcome(result) === names[index]!.outcome);
      return { value, lifeSeconds: STILL_SAID_LIFE_SECONDS };
    });
  }

  /**
   * Learns whether any of the domain's mail hosts takes mail for it: no only when each of them denies relaying, for postmaster too.
   *
   * @param routeTo called just before a host is asked, because a route that waits for its first probe is forgotten
   */
  learnIsServed(
    at: MailDomain,
    hosts: readonly MailHost[],
    routeTo: (host: MailHost) => MxRoute,
  ): boolean | Promise<boolean> {
    const known = this.#served.peek(factKey(at));
    if (known !== undefined) return known;
    return this.#served.learn(factKey(at), async (): Promise<Learned<boolean>> => {
      for (const host of hosts.slice(0, MAX_HOSTS)) {
        const { answer } = await this.#ask({ ...at, route: routeTo(host) }, `postmaster@${at.domain}`);
        if (answer.kind !== 'replied' || answer.classification.class !== 'relay_denied') {
          return { value: true, lifeSeconds: REFUSAL_LIFE_SECONDS };
        }
      }
      return { value: false, lifeSeconds: NOT_SERVED_LIFE_SECONDS };
    });
  }

  /** In a transaction of its own, so that no other recipient is blamed for it. */
  #ask({ domain, route, turn, account, source, allowance = null }: MailDomain, address: string): Promise<ProbeResult> {
    const { isLeftAlone } = this;
    return new Promise((resolve) => {
      const recipient: RecipientProbe = {
        address,
        needsSmtpUtf8: false,
        ownTransaction: true,
        asker: { turn, account, urgent: true, keepWarmMs: 0 },
        isCancelled: false,
        get refusal() {
          // The host may have opted out since the question was asked whose answer this one explains.
          return isLeftAlone(domain, route.hosts) ? LEFT_ALONE : null;
        },
        wasSent: false,
        source,
        // Its answer is about the source that it is asked from.
        failedOver: true,
        allowance,
        lostConnections: 0,
        triedNullSender: false,
        faultyHosts: 0,
        crowdedConnections: 0,
        next: null,
        answer: (answer) => resolve({ answer, recipient: address }),
      };
      route.enqueue(recipient);
    });
  }
}

function factKey({ domain, route, source }: MailDomain): string {
  return source === null ? `${domain} ${route.key}` : `${domain} ${route.key} ${source}`;
}

interface ProbeResult {
  readonly answer: MailboxAnswer;
  readonly recipient: string;
}

type Outcome = 'accepted' | 'refused' | 'undetermined';

function recipientOutcome({ answer }: ProbeResult): Outcome {
  if (answer.kind !== 'replied' || answer.stage !== 'rcpt') return 'undetermined';
  if (answer.classification.class === 'accepted') return 'accepted';
  return answer.classification.class === 'not_found' ? 'refused' : 'undetermined';
}

/** When a domain accepts one shape of names and refuses the other, its rule cannot be known from outside. */
function confirmed(result: ProbeResult): 'accepted' | 'undetermined' {
  return recipientOutcome(result) === 'accepted' ? 'accepted' : 'undetermined';
}

function outcomeOfPostmaster(result: ProbeResult): RefusalControl['postmaster'] {
  if (isRefused(result)) return 'refused';
  return recipientOutcome(result) === 'accepted' ? 'accepted' : 'undetermined';
}

function refusalWording(result: ProbeResult): string | null {
  const { answer, recipient } = result;
  return answer.kind === 'replied' && isRefused(result) ? refusalWords(answer.reply.text, recipient) : null;
}

function isRefused({ answer }: ProbeResult): boolean {
  return answer.kind === 'replied' && answer.reply.code >= 500;
}

const FIRST = 'alex anna chris dana eva jan kim lee maria max nina robin sam tom'.split(' ');
const LAST = 'baker berg brown costa fischer garcia jensen kowalski martin novak rossi'.split(' ');
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A local part for a control probe that looks like a person's and, by its five digits, belongs to nobody: `anna.berg48215`. */
export function plausibleLocalPart(random: Random): string {
  const pick = (names: readonly string[]) => names[Math.floor(random.fraction() * names.length)]!;
  return `${pick(FIRST)}.${pick(LAST)}${10_000 + Math.floor(random.fraction() * 90_000)}`;
}

/** A local part of fifteen letters and digits: so many exist that no mailbox has this one. */
export function randomLocalPart(random: Random): string {
  let text = 'x';
  while (text.length < 15) text += LETTERS[Math.floor(random.fraction() * LETTERS.length)]!;
  return text;
}
