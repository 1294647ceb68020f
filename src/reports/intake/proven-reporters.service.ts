import { Inject, Injectable } from '@nestjs/common';
import { createFactDns } from '../../domains/fact-dns.js';
import { checkHost } from '../../engine/domain/spf/check-host.js';
import { registrable } from '../../engine/syntax/registrable.js';
import type { ReceivedMail } from '../../inbound/received-mail.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { RESOLVER_JUDGE, type ResolverJudge } from '../../resolver/resolver.module.js';
import { domainOf } from '../reader/report-row.js';

/** Who has really sent a report: asked where it matters only, since each answer costs questions that the sender chooses. */
@Injectable()
export class ProvenReporters {
  readonly #dns: ReturnType<typeof createFactDns>;

  constructor(@Inject(ENV) { dnsServers }: Env, @Inject(RESOLVER_JUDGE) judge: ResolverJudge) {
    this.#dns = createFactDns(dnsServers, judge);
  }

  /** The registered domain for which the mail passes SPF; null: for none. */
  async of({ mailFrom, clientAddress, clientName }: ReceivedMail): Promise<string | null> {
    const domain = domainOf(mailFrom.slice(mailFrom.lastIndexOf('@') + 1));
    if (domain === null) return null;
    const question = {
      address: clientAddress,
      domain,
      sender: mailFrom,
      ...(clientName !== '' && { helo: clientName }),
    };
    return (await checkHost(question, this.#dns)).result === 'pass' ? registrable(domain) : null;
  }
}
