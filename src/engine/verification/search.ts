import { AddressVerification, type SearchAllowance, type VerificationContext } from './address-verification.js';
import { SINGLE_KEEP_WARM_MS } from '../smtp/probe/recipient-probe.js';
import type { KnownMailHosts } from '../../mail-dns/mail-hosts.js';
import { parseAddress } from '../syntax/address.js';
import type { Verification } from '../types.js';
import { type Candidate, candidatesFor } from '../finder/candidates.js';
import {
  concludeSearch,
  type Finding,
  isRefused,
  type Tried,
  type FindOptions,
  type FindRequest,
} from '../finder/finding.js';
import type { FinderData, SizeRow } from '../finder/finder-data.js';
import { readName } from '../finder/names.js';

/** Recipients that are named to mail hosts for one person at most, control probes included. */
const MAX_RECIPIENTS = 12;
/**
 * Recipients kept back for the control probes while it is not known whether the domain accepts every name: two made-up names show it.
 * One is enough after a refusal, since the domain is then unlikely to accept every name.
 */
const CONTROL_RECIPIENTS = { atFirst: 2, later: 1 } as const;

/** The search for one person's address: verifies the candidates one after another until one is not refused. */
export class Search {
  readonly #allowance: SearchAllowance = { left: MAX_RECIPIENTS, hasTurn: false };
  readonly #tried: Tried[] = [];
  #hosts: KnownMailHosts | null = null;
  #current: AddressVerification | null = null;
  #expired = false;
  #onExpire = () => {};

  constructor(
    private readonly request: FindRequest,
    private readonly options: FindOptions,
    private readonly context: VerificationContext,
  ) {}

  /** The time budget is used up. */
  expire(): void {
    this.#expired = true;
    this.#onExpire();
    this.#current?.expire();
  }

  async run(): Promise<Finding> {
    const { name, domain, seen } = this.request;
    const { data, spell, suppressed } = this.options;
    const readings = readName(name, domain.split('.').at(-1)!, data, spell);
    await this.#findHosts(domain);
    const candidates = candidatesFor(readings, data, this.#sizeOf(data), seen).filter(
      ({ localPart }) => !this.context.lists().isRole(localPart),
    );
    const hidden = await suppressed(candidates.map(({ localPart }) => `${localPart}@${domain}`));
    const isHidden = ({ localPart }: Candidate) => hidden.has(`${localPart}@${domain}`);
    const outcome = { domain, tried: this.#tried, isUnreadable: readings.length === 0, seen };
    // A person who asked not to be found is not searched for under other patterns either.
    if (candidates.some((candidate) => candidate.isPersonal && candidate.isOwnName && isHidden(candidate)))
      return concludeSearch({ ...outcome, candidates: [], isSuppressed: true });
    const open = candidates.filter((candidate) => !isHidden(candidate));
    for (const candidate of open) {
      if (!this.#mayAsk(domain)) break;
      const verification = await this.#ask(`${candidate.localPart}@${domain}`);
      this.#tried.push({ candidate, verification });
      if (!isRefused(verification)) break;
    }
    const finding = concludeSearch({ ...outcome, candidates: open, isSuppressed: false });
    this.#recordPerson(finding);
    return finding;
  }

  /** A person counts as one name, if a mail host has answered for one of the addresses. */
  #recordPerson({ verdict, reason, verification }: Finding): void {
    const { turn = null, account = turn } = this.options;
    if (account === null || verdict === 'unknown' || verification?.evidence.stage !== 'rcpt') return;
    this.context.nameRuns?.record(account, this.request.domain, reason !== 'no_candidate_exists');
  }

  /** The operator of the domain's mail hosts hints at the size of the organisation. The first verification reports faults of this look-up. */
  async #findHosts(domain: string): Promise<void> {
    const parsed = parseAddress(`x@${domain}`);
    const { turn = null, account = turn } = this.options;
    if (!parsed.ok || parsed.address.neverResolves) return;
    const fact = this.context.mailHosts.find(parsed.address.domain, turn, account);
    const expired = new Promise<null>((resolve) => (this.#onExpire = () => resolve(null)));
    const found = fact instanceof Promise ? await Promise.race([fact, expired]) : fact;
    if (found?.outcome === 'hosts') this.#hosts = found;
  }

  #sizeOf({ sizes }: FinderData): SizeRow {
    if (this.#hosts === null) return sizes.default;
    const provider = this.context.providers.forMailHost(this.#hosts.hosts[0]!.name);
    const known = sizes.others.find(({ operators }) => operators.includes(provider.name));
    return known ?? (provider.gateway ? sizes.gateway : sizes.default);
  }

  /** Whether the allowance covers another candidate, and the control probes that its acceptance may call for. */
  #mayAsk(domain: string): boolean {
    const isKnown = this.#hosts !== null && this.context.controlProbes.knownCatchAll(domain, this.#hosts) !== undefined;
    const { atFirst, later } = CONTROL_RECIPIENTS;
    return this.#allowance.left > (isKnown ? 0 : this.#tried.length === 0 ? atFirst : later);
  }

  #ask(email: string): Promise<Verification> {
    const { turn = null, account = turn } = this.options;
    return new Promise((resolve) => {
      const asker = { turn, account, urgent: true, keepWarmMs: SINGLE_KEEP_WARM_MS };
      this.#current = new AddressVerification(email, this.context, asker, resolve, 0, this.#allowance);
      this.#current.start();
      if (this.#expired) this.#current.expire();
    });
  }
}
