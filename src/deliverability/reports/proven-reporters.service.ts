import { Inject, Injectable } from '@nestjs/common';
import { createFactDns, withinTime } from '../domains/fact-dns.js';
import type { DomainDns } from '../../mail-dns/domain-dns.js';
import { checkHost } from '../../mail-dns/check-host.js';
import { registered } from '../../mail-dns/registrable.js';
import { senderSite } from '../inbound/network-places.js';
import { ReadingEnded, ReadingThreads } from '../inbound/reading-threads.js';
import type { ReceivedMail } from '../inbound/inbound-recipients.js';
import {
  type KnownKeys,
  type SeenSignatures,
  signaturesBy,
  VERIFY_SIGNATURES,
} from '../placement/report/signatures.js';
import { type ReportDns, resolverFor } from '../placement/report/report-dns.js';
import { TIMER, type Timer } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { RESOLVER_JUDGE, type ResolverJudge } from '../../resolver/resolver.module.js';
import { domainOf, isWithin } from './reader/aggregate-report.js';
import { REPORT_SETTINGS } from './report-settings.js';

/** For all that is asked of the DNS about one mail. */
export const PROOF_MS = 10_000;

/** Who has really sent a report: asked where it matters only, since each answer costs questions that the sender chooses. */
@Injectable()
export class ProvenReportersService {
  readonly #dns: ReturnType<typeof createFactDns>;

  constructor(
    @Inject(ENV) { dnsServers }: Env,
    @Inject(TIMER) private readonly timer: Timer,
    @Inject(RESOLVER_JUDGE) judge: ResolverJudge,
    private readonly threads: ReadingThreads,
  ) {
    this.#dns = createFactDns(dnsServers, judge);
  }

  /**
   * The registered domains for which the mail passes SPF and DKIM: two at most, however many have signed it. Names that a hoster gives
   * away are those of the hoster, since anybody has as many of them as they like. What cannot be proven in time is not.
   */
  async of(mail: ReceivedMail): Promise<readonly string[]> {
    const domains = await withinTime(this.#dns, { ms: PROOF_MS, timer: this.timer }, (dns) =>
      Promise.all([bySpf(mail, dns), this.byDkim(mail, dns)]),
    );
    return [...new Set(domains.filter((domain) => domain !== null).map(reporterOf))];
  }

  /**
   * The domain that has signed, where it is From's. A key that is tried out proves nothing (RFC 6376 section 3.6.1), and neither does a
   * signature behind whose end anybody may have written the report (section 8.2).
   */
  private async byDkim({ raw, mailFrom, clientAddress }: ReceivedMail, dns: ReportDns): Promise<string | null> {
    const look = (keys: KnownKeys): Promise<SeenSignatures> =>
      this.threads.read(VERIFY_SIGNATURES, {
        mail: raw,
        given: { sender: mailFrom, keys },
        turn: senderSite(clientAddress),
      });
    try {
      const { results } = await signaturesBy(look, resolverFor(dns));
      const passed = results.find(
        ({ status: { result, aligned, testing, underSized } }) =>
          result === 'pass' && aligned && testing !== true && !underSized,
      );
      return domainOf(passed?.signingDomain);
    } catch (fault) {
      if (fault instanceof ReadingEnded) return null;
      throw fault;
    }
  }
}

function reporterOf(domain: string): string {
  return REPORT_SETTINGS.largeReporters.find((name) => isWithin(domain, name)) ?? registered(domain) ?? domain;
}

async function bySpf({ mailFrom, clientAddress, clientName }: ReceivedMail, dns: DomainDns): Promise<string | null> {
  const domain = domainOf(mailFrom.slice(mailFrom.lastIndexOf('@') + 1));
  if (domain === null) return null;
  const question = {
    address: clientAddress,
    domain,
    sender: mailFrom,
    ...(clientName !== '' && { helo: clientName }),
  };
  return (await checkHost(question, dns)).result === 'pass' ? domain : null;
}
