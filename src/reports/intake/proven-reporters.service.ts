import { Inject, Injectable } from '@nestjs/common';
import { createFactDns } from '../../domains/fact-dns.js';
import { checkHost } from '../../engine/domain/spf/check-host.js';
import { registrable } from '../../engine/syntax/registrable.js';
import type { ReceivedMail } from '../../inbound/received-mail.js';
import { mailPieces } from '../../placement/report/message/mail-pieces.js';
import { readHeaderBlock } from '../../placement/report/message/header-block.js';
import { resolverFor } from '../../placement/report/report-dns.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { domainOf } from '../reader/report-row.js';

/** Who has really sent a report: asked where it matters only, since each answer costs questions that the sender chooses. */
@Injectable()
export class ProvenReporters {
  readonly #dns: ReturnType<typeof createFactDns>;

  constructor(@Inject(ENV) env: Env) {
    this.#dns = createFactDns(env);
  }

  /** The registered domain for which the mail passes SPF, or else DKIM; null: for none. */
  async of(mail: ReceivedMail): Promise<string | null> {
    const domain = (await this.bySpf(mail)) ?? (await this.byDkim(mail));
    return domain === null ? null : registrable(domain);
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

  private async byDkim({ raw, mailFrom }: ReceivedMail): Promise<string | null> {
    const head = readHeaderBlock(raw);
    if (head === null || !head.fields.some(({ name }) => name === 'dkim-signature')) return null;
    // Most processes never need it (docs/adr/0045).
    const { dkimVerify } = await import('mailauth');
    const { results } = await dkimVerify(mailPieces(head.judged), {
      resolver: resolverFor(this.#dns),
      sender: mailFrom,
    });
    const passed = results.find(({ status }) => status.result === 'pass')?.signingDomain;
    return domainOf(passed ?? undefined);
  }
}
