import { FactCache, type Learned } from '../dns/fact-cache.js';
import type { Clock, Random } from '../ports.js';
import type { CatchAll } from '../types.js';
import type { MailRoute } from './mail-route.js';
import { plausibleLocalPart, randomLocalPart } from './made-up.js';
import type { Allowance, MailboxAnswer, Question } from './question.js';
import { commonText, replyWords } from './reply-words.js';

/** A domain and the way to its mail hosts. */
export interface MailDomain {
  readonly domain: string;
  readonly route: MailRoute;
  /** Of whoever wants to know. */
  readonly allowance?: Allowance | null;
}

interface CatchAllFact {
  readonly state: CatchAll;
  /** Of the mail hosts that said it. */
  readonly route: string;
}

/** What a refusal without a reason is held against. */
export interface RefusalControl {
  /** `postmaster` must exist (RFC 5321 section 4.5.1): a server that refuses it refuses us. */
  readonly postmaster: 'accepted' | 'refused' | 'undetermined';
  /** How a made-up local part is refused, without addresses; null when it is not refused for good. */
  readonly madeUpRefusal: string | null;
}

const DAY_SECONDS = 86_400;
const CATCH_ALL_LIFE_SECONDS = { yes: 7 * DAY_SECONDS, no: DAY_SECONDS, undetermined: 3_600 } as const;
const REFUSAL_LIFE_SECONDS = 3_600;
const NOT_SERVED_LIFE_SECONDS = DAY_SECONDS;
const MOST_FACTS = 100_000;
const MOST_HOSTS_ASKED = 5;

/** Questions about a domain whose answers are known beforehand, or are the same for each of its addresses; remembered. */
export class Controls {
  /** By domain, and believed only for the mail hosts that said it: a long key for each look-up cost a tenth of an address. */
  readonly #catchAll: FactCache<CatchAllFact>;
  readonly #refusal: FactCache<RefusalControl>;
  readonly #served: FactCache<boolean>;

  constructor(
    clock: Clock,
    private readonly random: Random,
  ) {
    this.#catchAll = new FactCache({ clock, maxEntries: MOST_FACTS });
    this.#refusal = new FactCache({ clock, maxEntries: MOST_FACTS });
    this.#served = new FactCache({ clock, maxEntries: MOST_FACTS });
  }

  knownCatchAll(domain: string, route: Pick<MailRoute, 'key'>): CatchAll | undefined {
    const fact = this.#catchAll.peek(domain);
    return fact?.route === route.key ? fact.state : undefined;
  }

  /**
   * Does the domain accept any local part? To be asked only after it has accepted an address. A plausible name first: some
   * gateways refuse what looks random. A yes is confirmed by a second shape.
   */
  catchAll(at: MailDomain): Promise<CatchAllFact> {
    // Most ask while somebody else's question is under way: a function for each would be 6% of what a batch allocates.
    return this.#catchAll.underWay(at.domain) ?? this.#catchAll.learn(at.domain, () => this.#askMadeUp(at));
  }

  async #askMadeUp(at: MailDomain): Promise<Learned<CatchAllFact>> {
    const first = madeUpMailbox(await ask(at, plausibleLocalPart(this.random)));
    const told = first === 'accepted' ? confirmed(await ask(at, randomLocalPart(this.random))) : first;
    const state = told === 'accepted' ? 'yes' : told === 'refused' ? 'no' : 'undetermined';
    return { value: { state, route: at.route.key }, lifeSeconds: CATCH_ALL_LIFE_SECONDS[state] };
  }

  /** How the domain treats an address that must exist and one that does not. */
  refusal(at: MailDomain): RefusalControl | Promise<RefusalControl> {
    const known = this.#refusal.peek(factKey(at));
    if (known !== undefined) return known;
    return this.#refusal.learn(factKey(at), async () => {
      const [postmaster, madeUp] = await Promise.all([ask(at, 'postmaster'), ask(at, plausibleLocalPart(this.random))]);
      const value: RefusalControl = {
        postmaster:
          madeUpMailbox(postmaster) === 'accepted' ? 'accepted' : isRefused(postmaster) ? 'refused' : 'undetermined',
        madeUpRefusal: isRefused(madeUp) ? refusalText(madeUp) : null,
      };
      return { value, lifeSeconds: REFUSAL_LIFE_SECONDS };
    });
  }

  /** Does any of the domain's mail hosts take mail for it? False only when every one denies relaying, for postmaster too. */
  served(at: MailDomain, ways: readonly MailRoute[]): boolean | Promise<boolean> {
    const known = this.#served.peek(factKey(at));
    if (known !== undefined) return known;
    return this.#served.learn(factKey(at), async (): Promise<Learned<boolean>> => {
      for (const route of ways.slice(0, MOST_HOSTS_ASKED)) {
        const { answer } = await ask({ ...at, route }, 'postmaster');
        if (answer.kind !== 'replied' || answer.classification.class !== 'relay_denied') {
          return { value: true, lifeSeconds: REFUSAL_LIFE_SECONDS };
        }
      }
      return { value: false, lifeSeconds: NOT_SERVED_LIFE_SECONDS };
    });
  }
}

/** Is this refusal, word for word, what the server says of an address that does not exist, while it accepts postmaster? */
export function speaksOfMailbox(answer: MailboxAnswer, recipient: string, control: RefusalControl): boolean {
  return (
    answer.kind === 'replied' &&
    control.postmaster === 'accepted' &&
    control.madeUpRefusal === `${answer.reply.code} ${wordsOf(answer.reply.text, recipient)}`
  );
}

function factKey({ domain, route }: MailDomain): string {
  return `${domain} ${route.key}`;
}

/** Asks in a transaction of its own, so that no other recipient is blamed for it. */
function ask({ domain, route, allowance = null }: MailDomain, localPart: string): Promise<AskedAnswer> {
  return new Promise((resolve) => {
    const address = `${localPart}@${domain}`;
    const question: Question = {
      address,
      needsSmtpUtf8: false,
      ownTransaction: true,
      urgent: true,
      keepWarm: false,
      cancelled: false,
      asked: false,
      allowance,
      tries: 0,
      triedNullSender: false,
      behind: null,
      answer: (answer) => resolve({ answer, recipient: address }),
    };
    route.ask(question);
  });
}

interface AskedAnswer {
  readonly answer: MailboxAnswer;
  readonly recipient: string;
}

function madeUpMailbox({ answer }: AskedAnswer): 'accepted' | 'refused' | 'undetermined' {
  if (answer.kind !== 'replied' || answer.stage !== 'rcpt') return 'undetermined';
  if (answer.classification.class === 'accepted') return 'accepted';
  return answer.classification.class === 'not_found' ? 'refused' : 'undetermined';
}

/** One shape accepted and the other refused is a pattern nobody outside can know. */
function confirmed(asked: AskedAnswer): 'accepted' | 'undetermined' {
  return madeUpMailbox(asked) === 'accepted' ? 'accepted' : 'undetermined';
}

function isRefused({ answer }: AskedAnswer): boolean {
  return answer.kind === 'replied' && answer.reply.code >= 500;
}

function refusalText({ answer, recipient }: AskedAnswer): string | null {
  if (answer.kind !== 'replied') return null;
  return `${answer.reply.code} ${wordsOf(answer.reply.text, recipient)}`;
}

/** A refusal's words without what differs from one recipient, session or minute to the next. */
function wordsOf(text: string, recipient: string): string {
  return replyWords(commonText(text, recipient, '')).replace(/\S*\d\S*/g, '');
}
