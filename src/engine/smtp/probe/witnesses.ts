import { HOUR_MS } from '../../../lib/durations.js';
import { LruMap } from '../../../lib/lru-map.js';
import type { Clock } from '../../../lib/clock.js';
import { registrable } from '../../../mail-dns/registrable.js';

/** A name that may be asked about again: the host accepted it, or said plainly that it has no such mailbox. */
export interface WitnessedName {
  readonly address: string;
  readonly outcome: 'accepted' | 'refused';
  readonly at: number;
}

const MAX_HOST_SETS = 20_000;
const MAX_WORDINGS = 8;
const MAX_DOMAINS = 8;
/** Of the last names, whatever their domain: a list asks about the names of one domain soon after each other. */
const MAX_ACCEPTED = 32;
const MAX_REFUSED = 8;

/** A host may let in whom it likes: one name that is let in shows nothing of the others. */
const ACCEPTED_THAT_SUFFICE = 2;

/**
 * What one set of mail hosts has said to one of our addresses within the hour, so that a refusal without a reason can be held against it:
 * names that it accepted or plainly does not have, and the domains whose names got the same refusal without a reason.
 *
 * The memory belongs to one process. The addresses of one operator are worked by one worker at a time, and witnesses are asked again
 * before they are believed, so that sharing it would save two questions for a domain.
 */
export class HostWitnesses {
  readonly #accepted = new LastNames(MAX_ACCEPTED);
  readonly #refused = new LastNames(MAX_REFUSED);
  /** Wording of a refusal without a reason -> the registrable domains whose names got it last, with the time. */
  #refusals: LruMap<string, Map<string, number>> | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly isRole: (localPart: string) => boolean,
  ) {}

  /** Records the host's answer about a name. Every answer comes here, so that what it is worth is found out when a witness is wanted. */
  record(address: string, outcome: WitnessedName['outcome']): void {
    (outcome === 'accepted' ? this.#accepted : this.#refused).add(address, this.clock.now());
  }

  /** Records that a name of the domain was refused in this wording. */
  recordAmbiguous(wording: string, domain: string): void {
    this.#refusals ??= new LruMap(MAX_WORDINGS);
    const domains = this.#refusals.get(wording) ?? new Map<string, number>();
    const own = registrable(domain);
    domains.delete(own);
    if (domains.size === MAX_DOMAINS) domains.delete(domains.keys().next().value!);
    this.#refusals.set(wording, domains.set(own, this.clock.now()));
  }

  /** Whether names of a domain that has nothing to do with this one were refused in this wording within the hour. */
  isSaidElsewhere(wording: string, domain: string): boolean {
    const since = this.clock.now() - HOUR_MS;
    const own = registrable(domain);
    return [...(this.#refusals?.get(wording) ?? [])].some(([other, at]) => other !== own && at > since);
  }

  /**
   * Names of the recipient's domain which together show, if the host says the same of them again, that it serves us: two mailboxes that it
   * accepts, or one and a name that it plainly does not have. None when it has not shown so much within the hour. They are of the same
   * domain, because hosts that serve many have rules for each of them.
   */
  namesBeside(recipient: string): readonly WitnessedName[] {
    const accepted = this.#fit('accepted', recipient, ACCEPTED_THAT_SUFFICE);
    if (accepted.length === ACCEPTED_THAT_SUFFICE) return accepted;
    const refused = accepted.length > 0 ? this.#fit('refused', recipient, 1) : [];
    return refused.length > 0 ? [...accepted, ...refused] : [];
  }

  /** The last names of the recipient's domain, each another mailbox; no role names: hosts exempt them from what they have against a client. */
  #fit(outcome: WitnessedName['outcome'], recipient: string, max: number): WitnessedName[] {
    const since = this.clock.now() - HOUR_MS;
    const domain = recipient.slice(recipient.lastIndexOf('@'));
    const fit: WitnessedName[] = [];
    for (const { address, at } of (outcome === 'accepted' ? this.#accepted : this.#refused).newestFirst()) {
      if (fit.length === max || at <= since) break;
      if (!address.endsWith(domain) || this.isRole(address.slice(0, -domain.length))) continue;
      if ([recipient, ...fit.map((one) => one.address)].some((other) => isSameMailbox(other, address))) continue;
      fit.push({ address, outcome, at });
    }
    return fit;
  }
}

/** The last names and their times, in rings that make no garbage. */
class LastNames {
  readonly #addresses: string[] = [];
  readonly #times: number[] = [];
  #next = 0;

  constructor(private readonly max: number) {}

  /** Whoever asks about one name again and again pushes no other one out. */
  add(address: string, at: number): void {
    const last = (this.#next - 1 + this.max) % this.max;
    const place = this.#addresses[last] === address ? last : this.#next;
    this.#addresses[place] = address;
    this.#times[place] = at;
    this.#next = (place + 1) % this.max;
  }

  *newestFirst(): Generator<{ readonly address: string; readonly at: number }> {
    const { length } = this.#addresses;
    for (let i = 1; i <= length; i++) {
      const place = (this.#next - i + length) % length;
      yield { address: this.#addresses[place]!, at: this.#times[place]! };
    }
  }
}

/** However it is written: of one domain, most servers tell names apart neither by case nor by their tag. */
function isSameMailbox(one: string, other: string): boolean {
  return one === other || mailboxOf(one) === mailboxOf(other);
}

function mailboxOf(address: string): string {
  return address.slice(0, address.lastIndexOf('@')).split('+', 1)[0]!.toLowerCase();
}

/** The memories of all sets of mail hosts, each for one of our addresses, because a host may refuse one and serve another. */
export class Witnesses {
  readonly #hosts = new LruMap<string, HostWitnesses>(MAX_HOST_SETS);

  constructor(
    private readonly clock: Clock,
    private readonly isRole: (localPart: string) => boolean,
  ) {}

  /** @param route the key of the route to the mail hosts */
  at(route: string, source: string): HostWitnesses {
    const key = `${route} ${source}`;
    const known = this.#hosts.get(key);
    if (known !== undefined) return known;
    const fresh = new HostWitnesses(this.clock, this.isRole);
    this.#hosts.set(key, fresh);
    return fresh;
  }
}
