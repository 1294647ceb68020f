import { Inject, Injectable } from '@nestjs/common';
import { readBounded } from '../../lib/read-bounded.js';
import { CreditsService } from '../../credits/credits.service.js';
import { chargeFor } from '../../credits/prices.js';
import type { WorkReason } from '../../credits/usage/used-work.js';
import type { FactDns } from '../../engine/domain/facts.js';
import type { IdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { getAccountId, type Principal } from '../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { CREDIT_PRICES, type CreditPrices } from '../../platform/config/policies.js';
import { outcomeOf, type PlacementReport } from './report/placement-report.js';
import { ReportMakerService } from './report/report-maker.service.js';
import type { ReportEnvelope } from './report/authentication.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import type { StreamedRequest } from '../../platform/http/caller-stream.js';
import { simulatedDomain } from '../../simulator/simulated-domains.js';
import { readHeaderBlock, valuesOf } from './report/read-message.js';

interface AnalysisInput {
  readonly raw: Buffer;
  readonly envelope: ReportEnvelope;
  readonly maxCredits: number | null;
}

interface Analysis {
  readonly report: PlacementReport;
  readonly creditsCharged: number;
  readonly latencyMs: number;
}

/** The longest that a report takes: two readings and the waits for them, the DNS, block lists, and whether our resolver is to blame for silence. */
const WORK_MS = 120_000;

/** The report of a message that nobody has sent us, for a credit, and for none while our resolver does not answer. It is not kept. */
@Injectable()
export class AnalysisService {
  constructor(
    private readonly reports: ReportMakerService,
    private readonly credits: CreditsService,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `ceiling_reached`, `key_ceiling_reached`, `credits_insufficient` */
  async analyze(
    principal: Principal,
    { raw, envelope, maxCredits }: AnalysisInput,
    claim: IdempotencyClaim | null,
  ): Promise<Analysis> {
    const begun = performance.now();
    const accountId = getAccountId(principal);
    const amountCredits = this.prices.placement.costCredits;
    const wanted = { amountCredits, maxCredits, purpose: 'placement', workMs: WORK_MS } as const;
    const reservation = await this.credits.reserve(principal, wanted);
    const world: FactDns | null = principal.simulated ? simulatedSenders(raw, envelope) : null;
    const receivedAt = new Date(this.clock.now());
    const report = await this.reports
      .make({ raw, envelope, receivedAt, world, accountId })
      .catch(async (fault: unknown) => {
        await this.credits.release(reservation);
        throw fault;
      });
    const outcome = outcomeOf(report);
    const charge = chargeFor(this.prices.placement, principal.policy, outcome);
    const reason: WorkReason = outcome === 'answered' ? 'report' : 'unanswered';
    const works = [{ verdict: 'completed', reason, items: 1, credits: charge }];
    const creditsCharged = await this.credits.settle(reservation, charge, claim, works);
    return { report, creditsCharged, latencyMs: Math.round(performance.now() - begun) };
  }
}

/** As our receiver takes. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

export const MESSAGE_TYPE = 'message/rfc822';
const TYPES: readonly string[] = [MESSAGE_TYPE, 'text/plain', 'application/octet-stream', ''];

/**
 * The message that a request carries.
 * @throws AppError `unsupported_media_type`, `body_too_large`, `invalid_input` for none
 */
export async function readRawMessage({ body, sentContentType }: StreamedRequest): Promise<Buffer> {
  const type = (sentContentType.split(';')[0] ?? '').trim().toLowerCase();
  if (!TYPES.includes(type)) throw new AppError('unsupported_media_type');
  const raw = await readBounded(body as AsyncIterable<Buffer>, MAX_MESSAGE_BYTES);
  if (raw === null) throw new AppError('body_too_large');
  if (raw.length === 0) throw invalidField('body', 'must be a message');
  return raw;
}

const MAX_SENDER_DOMAINS = 10;
const DOMAIN = /@([a-z0-9.-]{1,253})/gi;
const SIGNER = /\bd=([a-z0-9.-]{1,253})/gi;

/** The DNS behind test keys for the domains that a message names: each publishes what its first label says (docs/test-mode.md). */
function simulatedSenders(raw: Buffer, { mailFrom, clientName }: ReportEnvelope): FactDns {
  const fields = readHeaderBlock(raw)?.fields ?? [];
  const named = [
    ...valuesOf(fields, 'from').flatMap((text) => [...text.slice(0, 10_000).matchAll(DOMAIN)]),
    ...(mailFrom ?? '').matchAll(DOMAIN),
    ...valuesOf(fields, 'dkim-signature').flatMap((text) => [...text.slice(0, 10_000).matchAll(SIGNER)]),
  ].map(([, domain]) => domain!.toLowerCase());
  const names = [...new Set([...named, ...(clientName === null ? [] : [clientName.toLowerCase()])])];
  const worlds = names.slice(0, MAX_SENDER_DOMAINS).map((domain) => ({ domain, dns: simulatedDomain(domain) }));
  const nobody = simulatedDomain('nobody.invalid');
  const of = (name: string): FactDns =>
    worlds.find(({ domain }) => name === domain || name.endsWith(`.${domain}`))?.dns ?? nobody;
  return {
    txt: (name) => of(name).txt(name),
    a: (name) => of(name).a(name),
    aaaa: (name) => of(name).aaaa(name),
    mx: (name) => of(name).mx(name),
    ns: (name) => of(name).ns(name),
    cname: (name) => of(name).cname(name),
    ptr: (name) => (worlds[0]?.dns ?? nobody).ptr(name),
    tlsa: (name) => of(name).tlsa(name),
    dnssec: (name) => of(name).dnssec(name),
  };
}
