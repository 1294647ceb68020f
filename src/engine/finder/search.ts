import { Inquiry, type InquiryWorld } from '../inquiry.js';
import type { KnownMailHosts } from '../dns/mail-hosts.js';
import type { Allowance } from '../smtp/question.js';
import { parseAddress } from '../syntax/address.js';
import type { Verification } from '../types.js';
import { type Candidate, candidatesFor } from './candidates.js';
import { concluded, type Finding, isRefused } from './finding.js';
import type { FinderData, SizeRow } from './finder-data.js';
import { readName } from './names.js';
import type { FindOptions, FindRequest } from './request.js';

/** The most recipients that a mail host is asked about for one person, made-up ones included. */
const MOST_RECIPIENTS = 12;
/**
 * Kept back while it is not known whether the domain accepts every name: two made-up names tell. One will do where somebody was
 * refused before, since a no is what it is likely to say.
 */
const CONTROL_RECIPIENTS = { atFirst: 2, later: 1 } as const;

export interface Tried {
  readonly candidate: Candidate;
  readonly verification: Verification;
}

/** One person's address: asks about the candidates one after another until one is accepted or the server does not tell. */
export class Search {
  readonly #allowance: Allowance = { left: MOST_RECIPIENTS };
  readonly #tried: Tried[] = [];
  #hosts: KnownMailHosts | null = null;
  #inquiry: Inquiry | null = null;
  #expired = false;
  #onExpire = () => {};

  constructor(
    private readonly request: FindRequest,
    private readonly options: FindOptions,
    private readonly world: InquiryWorld,
  ) {}

  /** The time budget is used up. */
  expire(): void {
    this.#expired = true;
    this.#onExpire();
    this.#inquiry?.expire();
  }

  async run(): Promise<Finding> {
    const { name, domain, seen } = this.request;
    const { data, spell, suppressed } = this.options;
    const readings = readName(name, domain.split('.').at(-1)!, data, spell);
    await this.#findHosts(domain);
    const candidates = candidatesFor(readings, data, this.#sizeOf(data), seen).filter(
      ({ localPart }) => !this.world.lists().role(localPart),
    );
    const hidden = await suppressed(candidates.map(({ localPart }) => `${localPart}@${domain}`));
    const isHidden = ({ localPart }: Candidate) => hidden.has(`${localPart}@${domain}`);
    const outcome = { domain, tried: this.#tried, isUnreadable: readings.length === 0, seen };
    // Who asked not to be found is not searched for under other patterns either.
    if (candidates.some((candidate) => candidate.isPersonal && candidate.isOwnName && isHidden(candidate)))
      return concluded({ ...outcome, candidates: [], isSuppressed: true });
    const open = candidates.filter((candidate) => !isHidden(candidate));
    for (const candidate of open) {
      if (!this.#mayAsk(domain)) break;
      const verification = await this.#ask(`${candidate.localPart}@${domain}`);
      this.#tried.push({ candidate, verification });
      if (!isRefused(verification)) break;
    }
    return concluded({ ...outcome, candidates: open, isSuppressed: false });
  }

  /** Who runs the domain's mail tells something about its size; faults are told by the first address that is asked about. */
  async #findHosts(domain: string): Promise<void> {
    const parsed = parseAddress(`x@${domain}`);
    if (!parsed.ok || parsed.address.neverResolves) return;
    const fact = this.world.mailHosts.find(parsed.address.domain);
    const expired = new Promise<null>((resolve) => (this.#onExpire = () => resolve(null)));
    const found = fact instanceof Promise ? await Promise.race([fact, expired]) : fact;
    if (found?.outcome === 'hosts') this.#hosts = found;
  }

  #sizeOf({ sizes }: FinderData): SizeRow {
    if (this.#hosts === null) return sizes.default;
    const provider = this.world.providers.forMailHost(this.#hosts.hosts[0]!.name);
    const known = sizes.others.find(({ operators }) => operators.includes(provider.name));
    return known ?? (provider.gateway ? sizes.gateway : sizes.default);
  }

  /** Is there leave for another candidate, and for the made-up names that its acceptance may call for? */
  #mayAsk(domain: string): boolean {
    const isKnown = this.#hosts !== null && this.world.controls.knownCatchAll(domain, this.#hosts) !== undefined;
    const { atFirst, later } = CONTROL_RECIPIENTS;
    return this.#allowance.left > (isKnown ? 0 : this.#tried.length === 0 ? atFirst : later);
  }

  #ask(email: string): Promise<Verification> {
    return new Promise((resolve) => {
      this.#inquiry = new Inquiry(email, this.world, true, resolve, 0, this.#allowance);
      this.#inquiry.begin();
      if (this.#expired) this.#inquiry.expire();
    });
  }
}
