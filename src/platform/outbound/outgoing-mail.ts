import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { ENV, type Env } from '../config/env.js';
import { AppError } from '../errors/app-error.js';
import { PRODUCT } from '../product.js';

/** A letter of plain text. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A caller waits for it. */
const TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 2;

/** Sends letters by the operator's own mail server (`MAIL_SMTP_URL`), from `MAIL_FROM`. */
@Injectable()
export class OutgoingMail implements OnModuleDestroy {
  private readonly logger = new Logger(OutgoingMail.name);
  private readonly transport: ReturnType<typeof createTransport> | null;

  constructor(@Inject(ENV) private readonly env: Env) {
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
    this.transport =
      env.mailSmtpUrl === null
        ? null
        : createTransport({ url: env.mailSmtpUrl, pool: true, maxConnections: MAX_CONNECTIONS, ...timeouts });
  }

  get isConfigured(): boolean {
    return this.transport !== null;
  }

  /**
   * A recipient that the server refuses counts as sent: whoever asked must not learn who has a mailbox.
   * @throws AppError `unavailable` when the server cannot be reached, or takes nothing from us
   */
  async send({ to, subject, text }: Letter): Promise<void> {
    if (this.transport === null) throw new Error('MAIL_SMTP_URL is not set');
    const from = { name: PRODUCT.title, address: this.env.mailFrom! };
    // A machine has sent it: no mailbox answers that it is away (RFC 3834).
    const headers = { 'Auto-Submitted': 'auto-generated' };
    try {
      await this.transport.sendMail({
        from,
        to,
        subject,
        text,
        headers,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      if (code === 'EENVELOPE') return;
      this.logger.error(`The mail server of MAIL_SMTP_URL sent nothing: ${code ?? message}`);
      throw new AppError('unavailable', { cause: error });
    }
  }

  onModuleDestroy(): void {
    this.transport?.close();
  }
}
