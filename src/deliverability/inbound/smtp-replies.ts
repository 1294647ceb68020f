/** A refusal as the sender's server gets it: never with anything of what it sent. */
export class SmtpReply extends Error {
  constructor(
    readonly responseCode: number,
    text: string,
    /** A word for the metrics. */
    readonly outcome: string,
  ) {
    super(text);
  }

  /** What is refused for good is refused for what it is; the rest is about us, or about how much there was. */
  get isPermanent(): boolean {
    return this.responseCode >= 500;
  }
}

export const REFUSING_REPLIES = {
  unknownRecipient: () => new SmtpReply(550, '5.1.1 Nobody waits for mail at this address', 'unknown_recipient'),
  notOurs: () => new SmtpReply(550, '5.7.1 This server takes mail for its own domain only', 'not_ours'),
  tooManyMails: () =>
    new SmtpReply(450, '4.7.1 Too much mail for this address, try again in an hour', 'too_many_mails'),
  tooManyConnections: () => new SmtpReply(421, '4.7.0 Too many connections, try again later', 'too_many_connections'),
  noMail: () => new SmtpReply(421, '4.7.0 No MAIL command came in time', 'no_mail'),
  tooManyRefused: () => new SmtpReply(421, '4.7.0 Too many recipients for whom nobody waits', 'too_many_refused'),
  tooLarge: (maxBytes: number) => new SmtpReply(552, `5.3.4 The mail has more than ${maxBytes} bytes`, 'too_large'),
  bareNewline: () =>
    new SmtpReply(550, '5.6.0 The mail has a line that ends in LF alone, which RFC 5321 forbids', 'bare_newline'),
  away: () => new SmtpReply(451, '4.3.0 This cannot be answered now, try again later', 'away'),
};
