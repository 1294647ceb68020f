import type { PresentedTls, Wire } from '../../ports.js';
import type { Clock } from '../../../lib/clock.js';
import type { SmtpReply } from '../../types.js';
import { ReplyReader } from '../reply/reply.js';

/** Why no further command can be given on a connection. */
export type ConnectionEnd =
  | { readonly problem: 'timeout' | 'closed' | 'protocol'; readonly detail: string }
  /** 421: the server says goodbye (RFC 5321 section 3.8). */
  | { readonly problem: 'shutdown'; readonly reply: SmtpReply };

export interface Exchange {
  /** The replies in the order of the commands; fewer than commands only when `end` is set. */
  readonly replies: readonly SmtpReply[];
  readonly end: ConnectionEnd | null;
}

/** Bounds the life of a connection to a server that answers every command just before its deadline. */
export const MAX_CONNECTION_MS = 300_000;

interface Waiting {
  readonly replies: SmtpReply[];
  readonly count: number;
  readonly resolve: (exchange: Exchange) => void;
}

/**
 * Sends commands and reads replies on one connection, one exchange at a time. Every wait has a deadline that single bytes do not extend,
 * and every behaviour of the server ends in a value.
 */
export class SmtpConnection {
  #reader = new ReplyReader();
  #waiting: Waiting | null = null;
  #end: ConnectionEnd | null = null;
  #closed: Promise<void> = Promise.resolve();
  #deadline = 0;
  #replyTimeoutMs = 0;
  #cancelTimer: (() => void) | null = null;
  #timerAt = 0;
  readonly #openedAt: number;

  constructor(
    private readonly wire: Wire,
    private readonly clock: Clock,
    /** Called once when the connection ends while nothing is asked. */
    private readonly onIdleEnd: () => void,
  ) {
    this.#openedAt = clock.now();
    wire.listen({
      data: (chunk) => this.#read(chunk),
      closed: (error) => this.#finish({ problem: 'closed', detail: error?.message ?? 'connection closed' }),
    });
  }

  get localAddress(): string {
    return this.wire.localAddress;
  }

  get isEnded(): boolean {
    return this.#end !== null;
  }

  /** Sends text (one command or several pipelined ones, empty for the greeting) and waits for `count` replies. */
  exchange(text: string, count: number, replyTimeoutMs: number): Promise<Exchange> {
    if (this.#end !== null) return Promise.resolve({ replies: [], end: this.#end });
    return new Promise((resolve) => {
      this.#waiting = { replies: [], count, resolve };
      this.#replyTimeoutMs = replyTimeoutMs;
      this.#extendDeadline();
      if (text !== '') this.wire.write(text);
    });
  }

  /** Starts TLS (RFC 3207); the extensions that the server announced before no longer count. */
  async startTls(serverName: string, timeoutMs: number): Promise<void> {
    await this.#secure(timeoutMs, () => this.wire.startTls(serverName));
  }

  /** The same, and tells what the server has shown. */
  inspectTls(serverName: string, timeoutMs: number): Promise<PresentedTls> {
    return this.#secure(timeoutMs, () => this.wire.inspectTls(serverName));
  }

  async #secure<T>(timeoutMs: number, start: () => Promise<T>): Promise<T> {
    const cancelTimer = this.clock.after(timeoutMs, () => void this.wire.close());
    try {
      return await start();
    } finally {
      cancelTimer();
      this.#reader = new ReplyReader();
    }
  }

  /** Closes the connection from our side after writing the `farewell`; resolves when it is closed for the server too. */
  close(farewell = ''): Promise<void> {
    if (farewell !== '' && this.#end === null) this.wire.write(farewell);
    this.#finish({ problem: 'closed', detail: 'closed by us' });
    return this.#closed;
  }

  #read(chunk: Buffer): void {
    const waiting = this.#waiting;
    const answered = waiting?.replies.length ?? 0;
    for (const item of this.#reader.push(chunk)) {
      if ('problem' in item) return this.#finish({ problem: 'protocol', detail: item.problem });
      if (item.code === 421) return this.#finish({ problem: 'shutdown', reply: item });
      if (waiting === null || waiting.replies.length === waiting.count) {
        // With one reply too many, nobody knows which reply belongs to which command.
        if (waiting !== null) waiting.replies.length = 0;
        return this.#finish({ problem: 'protocol', detail: 'a reply without a command' });
      }
      waiting.replies.push(item);
    }
    if (waiting === null) return;
    if (waiting.replies.length === waiting.count) this.#settle(waiting, null);
    // Only a whole reply extends the deadline: a tarpit that sends single bytes gets no more time.
    else if (waiting.replies.length > answered) this.#extendDeadline();
  }

  #settle(waiting: Waiting, end: ConnectionEnd | null): void {
    this.#waiting = null;
    this.#deadline = 0;
    waiting.resolve({ replies: waiting.replies, end });
  }

  #finish(end: ConnectionEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#cancelTimer?.();
    this.#closed = this.wire.close();
    if (this.#waiting !== null) this.#settle(this.#waiting, end);
    else this.onIdleEnd();
  }

  // One timer serves many exchanges: it is only moved when it fires, which keeps timers off the hot path.
  #extendDeadline(): void {
    const now = this.clock.now();
    this.#deadline = Math.min(now + this.#replyTimeoutMs, this.#openedAt + MAX_CONNECTION_MS);
    if (this.#cancelTimer !== null && this.#timerAt <= this.#deadline) return;
    this.#arm(this.#deadline - now);
  }

  #arm(ms: number): void {
    this.#cancelTimer?.();
    this.#timerAt = this.clock.now() + ms;
    this.#cancelTimer = this.clock.after(ms, () => this.#checkDeadline());
  }

  #checkDeadline(): void {
    this.#cancelTimer = null;
    if (this.#deadline === 0) return;
    const leftMs = this.#deadline - this.clock.now();
    if (leftMs > 0) this.#arm(leftMs);
    else this.#finish({ problem: 'timeout', detail: 'no reply in time' });
  }
}
