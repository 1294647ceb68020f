import { Inject, Injectable } from '@nestjs/common';
import { createFactDns } from '../../domains/fact-dns.js';
import { checkHost } from '../../engine/domain/spf/check-host.js';
import { registrable } from '../../engine/syntax/registrable.js';
import type { ReceivedMail } from '../../inbound/received-mail.js';
import { loadMailauth } from '../../placement/report/load-mailauth.js';
import { readHeaderBlock, valuesOf } from '../../placement/report/message/header-block.js';
import { mailPieces } from '../../placement/report/message/mail-pieces.js';
import { resolverFor } from '../../placement/report/report-dns.js';
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

  /** The registered domains for which the mail passes SPF and DKIM: two at most, however many have signed it. */
  async of(mail: ReceivedMail): Promise<readonly string[]> {
    const domains = [await this.bySpf(mail), await this.byDkim(mail)];
    return [...new Set(domains.filter((domain) => domain !== null).map(registrable))];
  }

  private async bySpf({ mailFrom, clientAddress, clientName }: ReceivedMail): Promise<string | null> {
    const domain = domainOf(mailFrom.slice(mailFrom.lastIndexOf('@') + 1));
    if (domain === null) return null;
    const question = {
      address: clientAddress,
      domain,
      sender: mailFrom,
      ...(clientName !== '' && { helo: clientName }),
    };
    return (await checkHost(question, this.#dns)).result === 'pass' ? domain : null;
  }

  /**
   * The domain that has signed, where it is From's. A key that is tried out proves nothing (RFC 6376 section 3.6.1), and neither does a
   * signature behind whose end anybody may have written the report (section 8.2).
   */
  private async byDkim({ raw, mailFrom }: ReceivedMail): Promise<string | null> {
    const head = readHeaderBlock(raw);
    if (head === null || valuesOf(head.fields, 'dkim-signature').length === 0) return null;
    const { dkimVerify } = await loadMailauth();
    const resolver = resolverFor(this.#dns);
    const { results } = await dkimVerify(mailPieces(head.judged), { resolver, sender: mailFrom, rejectRsaSha1: true });
    const passed = results.find(
      ({ status: { result, aligned, testing, underSized } }) =>
        result === 'pass' && aligned && testing !== true && !underSized,
    );
    return domainOf(passed?.signingDomain);
  }
}
