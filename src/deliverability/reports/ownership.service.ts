import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { createFactDns } from '../domains/fact-dns.js';
import { isAbsence } from '../../mail-dns/domain-dns.js';
import { type IdempotencyClaim, runInTransaction } from '../../idempotency/idempotency-claim.js';
import type { Owner } from '../../keys/access/owner.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { AppError } from '../../platform/errors/app-error.js';
import { RESOLVER_JUDGE, type ResolverJudge } from '../../resolver/resolver.module.js';
import { newToken } from '../inbound/inbound-recipients.js';
import { SimulatedReportsService } from './simulated-reports.service.js';
import { type ReportAddress, ReportAddressesStore } from './report-addresses.store.js';

/** What the DNS said of the proof. `no_answer` changes nothing that was proven before. */
type ProofState = 'found' | 'missing' | 'no_answer';

interface Proof {
  readonly look: ProofState;
  /** Whether our own resolver was not believed, which is why there is no answer. */
  readonly isUntrusted: boolean;
}

interface Ownership extends Proof {
  readonly isVerified: boolean;
  /** The TXT record that proves it. */
  readonly record: { readonly name: string; readonly value: string };
  /** Where reports are sent to; null until it is proven. */
  readonly address: string | null;
  readonly domain: string;
}

/** Whose a domain is, by a record that only its owner can publish; then it has an address for its reports. */
@Injectable()
export class OwnershipService {
  readonly #dns: ReturnType<typeof createFactDns>;

  constructor(
    private readonly store: ReportAddressesStore,
    private readonly simulated: SimulatedReportsService,
    private readonly database: DataSource,
    @Inject(ENV) private readonly env: Env,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(RESOLVER_JUDGE) judge: ResolverJudge,
  ) {
    this.#dns = createFactDns(env.dnsServers, judge);
  }

  /**
   * Looks for the proof, and says what to publish. A proof that is gone ends what it gave; the DNS that does not answer ends nothing.
   * @throws AppError `monitor_not_found`, `invalid_input` for a monitor of an address
   */
  async verify(owner: Owner, monitorId: number, claim: IdempotencyClaim | null): Promise<Ownership> {
    const monitor = await this.store.monitorOf(owner, monitorId);
    if (monitor === null) throw new AppError('monitor_not_found');
    if (monitor.kind !== 'domain') throw new AppError('monitor_without_domain');
    const now = new Date(this.clock.now());
    const words = { challenge: newToken(), token: newToken() };
    const address = await this.store.findOrMake(monitorId, words, now);
    if (address === null) throw new AppError('monitor_not_found');
    const record = { name: `_mailsonde.${address.domain}`, value: `mailsonde-verification=${address.challenge}` };
    const { look, isUntrusted } = await this.lookFor(owner.accountId, record, address);
    const isVerified = look === 'found' || (look === 'no_answer' && address.verifiedAt !== null);
    // The reports of test mode come to a domain that is proven already, also for others than the request's own transaction.
    if (isVerified && address.simulated) {
      await this.store.setVerified(this.database.manager, monitorId, now);
      await this.simulated.make(owner, address, now);
    }
    await runInTransaction(this.database, claim, async (tx) => {
      await this.store.setVerified(tx, monitorId, isVerified ? now : null);
    });
    return {
      isVerified,
      look,
      isUntrusted,
      record,
      address: isVerified ? `d-${address.token}@${this.env.inboundDomain}` : null,
      domain: address.domain,
    };
  }

  private async lookFor(
    accountId: string,
    record: Ownership['record'],
    { domain, simulated, verifiedAt }: ReportAddress,
  ): Promise<Proof> {
    if (simulated) return { look: simulatedProof(domain), isUntrusted: false };
    let isUntrusted = false;
    const dns = this.#dns.of(accountId, () => (isUntrusted = true));
    let answer = await dns.txt(record.name);
    if (verifiedAt !== null && isAbsence(answer)) {
      // A denial ends what was proven: the resolver shows first that it can be believed.
      await this.#dns.examine();
      answer = await dns.txt(record.name);
    }
    const isThere = answer.outcome === 'found' && answer.records.some((text) => text.trim() === record.value);
    if (answer.outcome === 'found' || isAbsence(answer))
      return { look: isThere ? 'found' : 'missing', isUntrusted: false };
    return { look: 'no_answer', isUntrusted };
  }
}

/** Behind test keys the first label decides: everybody has published the record but `unproven`, and `silent` does not answer. */
function simulatedProof(domain: string): ProofState {
  if (domain.startsWith('silent.')) return 'no_answer';
  return domain.startsWith('unproven.') ? 'missing' : 'found';
}
