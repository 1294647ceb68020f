import { connect, type Socket } from 'node:net';

/** A client of SMTP that says what a test says, as it is. */
export class SmtpTalk {
  readonly #socket: Socket;
  #text = '';
  #isEnded = false;
  #changed = (): void => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (piece) => this.#heard(piece.toString('latin1')));
    for (const name of ['end', 'close', 'error']) socket.once(name, () => this.#heard('', true));
  }

  /**
   * Connected, and greeted or refused.
   * @param first bytes that are sent before the greeting
   * @param from another address of loopback to connect from
   */
  static async begin(
    port: number,
    host = '127.0.0.1',
    first = '',
    from?: string,
  ): Promise<{ talk: SmtpTalk; greeting: string }> {
    const talk = new SmtpTalk(
      connect({ port, host, noDelay: true, ...(from !== undefined && { localAddress: from }) }),
    );
    if (first !== '') talk.write(Buffer.from(first, 'latin1'));
    return { talk, greeting: await talk.reply() };
  }

  /** Sends a line and resolves with the reply to it, all lines of it. */
  say(line: string): Promise<string> {
    this.write(`${line}\r\n`);
    return this.reply();
  }

  /** What was sent is not answered yet. */
  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /** The next whole reply; the empty text when the server has hung up instead. */
  async reply(): Promise<string> {
    for (;;) {
      const [whole] = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/.exec(this.#text) ?? [];
      if (whole !== undefined) {
        this.#text = this.#text.slice(whole.length);
        return whole.trimEnd();
      }
      if (this.#isEnded) return '';
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }

  /** Resolves when the server has hung up. */
  async ended(): Promise<void> {
    while (!this.#isEnded) await new Promise<void>((resolve) => (this.#changed = resolve));
  }

  close(): void {
    this.#socket.destroy();
  }

  #heard(text: string, isEnd = false): void {
    this.#text += text;
    this.#isEnded ||= isEnd;
    this.#changed();
  }
}
