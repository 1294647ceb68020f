import { createTransport } from 'nodemailer';

export interface SentMail {
  readonly from: string;
  readonly to: string;
  readonly raw: Buffer;
}

export interface MailSender {
  /** @returns what the server said at the end, or at its refusal */
  send(mail: SentMail): Promise<string>;
  close(): void;
}

/** A mail server that sends to ours without encryption. Its connections stay, as those of large senders do: a new one is greeted after 100 ms. */
export function mailSender(port: number): MailSender {
  const transport = createTransport({ pool: true, maxConnections: 3, host: '127.0.0.1', port, ignoreTLS: true });
  return {
    async send({ from, to, raw }) {
      try {
        return (await transport.sendMail({ envelope: { from, to }, raw })).response;
      } catch (error) {
        return (error as { response: string }).response;
      }
    },
    close: () => transport.close(),
  };
}
