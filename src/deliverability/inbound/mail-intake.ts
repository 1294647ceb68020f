import { Inject, Injectable, Logger } from '@nestjs/common';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { HOUR_MS } from '../../lib/durations.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { type Limit, Limiter } from '../../platform/redis/limits.js';
import { INBOUND_LIMITS, type InboundLimits } from './inbound-limits.js';
import { type InboundRecipient, InboundRecipients } from './inbound-recipients.js';
import { countedSender } from './network-places.js';
import { readMail } from './read-mail.js';
import { REFUSING_REPLIES, SmtpReply } from './smtp-replies.js';

/** What is decided at RCPT and after DATA. Every refusal is a `SmtpReply`; a server of ours that is away is one too. */
@Injectable()
export class MailIntake {
  private readonly logger = new Logger(MailIntake.name);

  constructor(
    private readonly recipients: InboundRecipients,
    private readonly rates: Limiter,
    @Inject(ENV) private readonly env: Pick<Env, 'inboundDomain'>,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * @param client the address of whoever sends; null: it is a proxy, which has not told it
   * @throws SmtpReply unless somebody waits for mail at the address now
   */
  async checkRecipient(address: string, client: string | null, limits: InboundLimits = INBOUND_LIMITS): Promise<void> {
    const recipient = this.find(address);
    await this.orAway(async () => {
      if (!(await recipient.handler.accepts(recipient.token))) throw REFUSING_REPLIES.unknownRecipient();
      const key = `inbound:{${recipient.prefix}-${recipient.token}}`;
      const hourly = { kind: 'window', windowMs: HOUR_MS } as const;
      const ofAll = { ...hourly, key, requests: limits.mailsPerToken };
      const ofSender = (address: string): Limit => ({
        ...hourly,
        key: `${key}:${countedSender(address)}`,
        requests: limits.mailsPerSender,
      });
      const { refusedBy } = await this.rates.admit(client === null ? [ofAll] : [ofSender(client), ofAll]);
      if (refusedBy !== null) throw REFUSING_REPLIES.tooManyMails();
    });
  }

  /**
   * Reads the mail and hands it to whom it is for, who has kept it when this resolves.
   * @param tls the version; null: in clear
   * @param onEndless as in `readMail`
   * @throws SmtpReply
   */
  async take(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    tls: string | null,
    onEndless: () => void,
    limits: InboundLimits = INBOUND_LIMITS,
  ): Promise<void> {
    const read = await readMail(stream as AsyncIterable<Buffer>, limits.mailBytes, onEndless);
    if (read.outcome === 'too_large') throw REFUSING_REPLIES.tooLarge(limits.mailBytes);
    if (read.outcome !== 'whole') throw REFUSING_REPLIES.bareNewline();
    const { envelope, remoteAddress, hostNameAppearsAs } = session;
    const recipient = envelope.rcptTo[0]!.address;
    const { handler, token } = this.find(recipient);
    const mail = {
      raw: read.raw,
      receivedAt: new Date(this.clock.now()),
      clientAddress: remoteAddress,
      clientName: hostNameAppearsAs || '',
      mailFrom: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
      recipient,
      tls,
    };
    await this.orAway(async () => {
      if (!(await handler.take(token, mail))) throw REFUSING_REPLIES.unknownRecipient();
    });
  }

  private find(address: string): InboundRecipient {
    const at = address.lastIndexOf('@');
    if (address.slice(at + 1).toLowerCase() !== this.env.inboundDomain) throw REFUSING_REPLIES.notOurs();
    const recipient = this.recipients.find(address.slice(0, Math.max(0, at)));
    if (recipient === null) throw REFUSING_REPLIES.unknownRecipient();
    return recipient;
  }

  private async orAway(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof SmtpReply) throw error;
      this.logger.warn(`a sender was told to come again later: ${(error as Error).message}`);
      throw REFUSING_REPLIES.away();
    }
  }
}
