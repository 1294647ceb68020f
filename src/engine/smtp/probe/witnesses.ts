import { HOUR_MS } from '../../../async/durations.js';
import { LruMap } from '../../../memo/lru-map.js';
import type { Clock } from '../../ports.js';
import { registrable } from '../../syntax/registrable.js';

/** A name that may be asked about again: the host accepted it, or said plainly that it has no such mailbox. */
export interface WitnessedName {
  readonly address: string;
  readonly outcome: 'accepted' | 'refused';
  readonly at: number;
}

/** The last names of one domain. */
interface DomainNames {
  accepted: WitnessedName | null;
  /** Another mailbox than the last one. */
  acceptedBefore: WitnessedName | null;
  refused: WitnessedName | null;
}

const MAX_HOST_SETS = 20_000;
const MAX_WORDINGS = 8;
const MAX_DOMAINS = 8;

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
  #names: LruMap<string, DomainNames> | null = null;
  /** Wording of a refusal without a reason -> the registrable domains whose names got it last, with the time. */
  #refusals: LruMap<string, Map<string, number>> | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly isRole: (localPart: string) => boolean,
  ) {}

  /** Records the host's answer about a name, but for role names: hosts exempt them from what they have against a client. */
  record(address: string, outcome: WitnessedName['outcome']): void {
    const at = address.lastIndexOf('@');
    if (this.isRole(address.slice(0, at))) return;
    const names = this.#namesOf(address.slice(at + 1));
    const name = { address, outcome, at: this.clock.now() };
    if (outcome === 'refused') names.refused = name;
    else {
      if (names.accepted !== null && !isSameMailbox(names.accepted.address, address)) {
        names.acceptedBefore = names.accepted;
      }
      names.accepted = name;
    }
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
    const names = this.#names?.get(recipient.slice(recipient.lastIndexOf('@') + 1));
    if (names === undefined) return [];
    const since = this.clock.now() - HOUR_MS;
    const isFit = (name: WitnessedName | null): name is WitnessedName =>
      name !== null && name.at > since && !isSameMailbox(name.address, recipient);
    const accepted = [names.accepted, names.acceptedBefore].filter(isFit);
    if (accepted.length === ACCEPTED_THAT_SUFFICE) return accepted;
    return accepted.length > 0 && isFit(names.refused) ? [...accepted, names.refused] : [];
  }

  #namesOf(domain: string): DomainNames {
    this.#names ??= new LruMap(MAX_DOMAINS);
    const known = this.#names.get(domain);
    if (known !== undefined) return known;
    const fresh = { accepted: null, acceptedBefore: null, refused: null };
    this.#names.set(domain, fresh);
    return fresh;
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
