import type { Scenario } from './scenarios.js';

/** A reserved name (RFC 6761 section 6.2), so that no reader takes it for a real mail host. */
export const MAIL_HOST = 'mx.simulated.test';

/** A client's connection to the simulated mail host, which talks as Postfix does; one command line in, one reply out. */
export class MailServerConnection {
  #isGreeted = false;
  #hasSender = false;

  constructor(
    private readonly scenario: Scenario,
    private readonly clientAddress: string,
    private readonly isMadeUp: (recipient: string) => boolean,
  ) {}

  greeting(): string {
    return `220 ${MAIL_HOST} ESMTP Postfix\r\n`;
  }

  /** The replies to a command line without its line end; the last one is the reply to QUIT. */
  answer(line: string): { readonly reply: string; readonly isLast: boolean } {
    const [verb = ''] = line.toUpperCase().split(' ', 1);
    return { reply: `${this.#reply(verb, line)}\r\n`, isLast: verb === 'QUIT' };
  }

  #reply(verb: string, line: string): string {
    switch (verb) {
      case 'EHLO':
        this.#isGreeted = true;
        return EXTENSIONS.map((text, index) => `250${index < EXTENSIONS.length - 1 ? '-' : ' '}${text}`).join('\r\n');
      case 'MAIL':
        return this.#mail();
      case 'RCPT':
        return this.#hasSender ? this.#recipient(line) : '503 5.5.1 Error: need MAIL command';
      case 'RSET':
        this.#hasSender = false;
        return '250 2.0.0 Ok';
      case 'QUIT':
        return '221 2.0.0 Bye';
      default:
        return '502 5.5.2 Error: command not recognized';
    }
  }

  #mail(): string {
    if (!this.#isGreeted) return '503 5.5.1 Error: send HELO/EHLO first';
    if (this.#hasSender) return '503 5.5.1 Error: nested MAIL command';
    this.#hasSender = true;
    return '250 2.1.0 Ok';
  }

  #recipient(line: string): string {
    const recipient = /^RCPT TO:<(.+)>$/i.exec(line)?.[1];
    if (recipient === undefined) return '501 5.5.4 Syntax: RCPT TO:<address>';
    const { mailbox, madeUp } = this.scenario;
    const reply = this.isMadeUp(recipient) ? madeUp : mailbox;
    return reply.replaceAll('{recipient}', () => recipient).replaceAll('{client}', this.clientAddress);
  }
}

const EXTENSIONS = [MAIL_HOST, 'PIPELINING', 'SIZE 10240000', 'ENHANCEDSTATUSCODES', '8BITMIME', 'SMTPUTF8'];
