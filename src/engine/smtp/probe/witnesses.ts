import { HOUR_MS } from '../../../async/durations.js';
import { LruMap } from '../../../memo/lru-map.js';
import type { Clock } from '../../ports.js';
import { registrable } from '../../syntax/registrable.js';

interface AcceptedName {
  readonly address: string;
  readonly at: number;
}

const MAX_HOST_SETS = 20_000;
const MAX_WORDINGS = 8;
const MAX_DOMAINS = 8;

/**
 * What one set of mail hosts has said to one of our addresses within the hour, so that a refusal without a reason can be held against it:
 * the last two names that were accepted, and the domains whose names got the same refusal without a reason.
 *
 * The memory belongs to one process. The addresses of one operator are worked by one worker at a time, and a witness is asked again
 * before it is believed, so that sharing it would save one question for a domain.
 */
export class HostWitnesses {
  #accepted: AcceptedName | null = null;
  #acceptedBefore: AcceptedName | null = null;
  /** Wording of a refusal without a reason -> the registrable domains whose names got it last, with the time. */
  #refusals: LruMap<string, Map<string, number>> | null = null;

  constructor(private readonly clock: Clock) {}

  recordAccepted(address: string): void {
    if (this.#accepted !== null && this.#accepted.address !== address) this.#acceptedBefore = this.#accepted;
    this.#accepted = { address, at: this.clock.now() };
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

  /** A fit name that was accepted within the hour. */
  acceptedName(isFit: (address: string) => boolean): string | null {
    const since = this.clock.now() - HOUR_MS;
    const names = [this.#accepted, this.#acceptedBefore];
    return names.find((name) => name !== null && name.at > since && isFit(name.address))?.address ?? null;
  }
}

/** The memories of all sets of mail hosts, each for one of our addresses, because a host may refuse one and serve another. */
export class Witnesses {
  readonly #hosts = new LruMap<string, HostWitnesses>(MAX_HOST_SETS);

  constructor(private readonly clock: Clock) {}

  /** @param route the key of the route to the mail hosts */
  at(route: string, source: string): HostWitnesses {
    const key = `${route} ${source}`;
    const known = this.#hosts.get(key);
    if (known !== undefined) return known;
    const fresh = new HostWitnesses(this.clock);
    this.#hosts.set(key, fresh);
    return fresh;
  }
}
