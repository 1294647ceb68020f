import type { ServerResponse } from 'node:http';

/** A server-sent event (HTML standard, section 9.2). */
export interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly data: object;
}

/** The pause before a reader whose stream ended asks again: the process that answers next may just be starting. */
const RECONNECT_MS = 3_000;

/**
 * A reply that goes on until one side ends it. A reader who has not taken what was written before gets nothing more: the
 * connection is cut, because what he leaves unread would fill memory.
 */
export class EventStream {
  constructor(private readonly response: ServerResponse) {
    this.write(`retry: ${RECONNECT_MS}\n\n`);
  }

  send({ id, type, data }: SentEvent): void {
    this.write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** A comment, by which both sides and every proxy between them see that the connection lives. */
  beat(): void {
    this.write(': heartbeat\n\n');
  }

  end(): void {
    this.response.end();
  }

  private write(text: string): void {
    const { response } = this;
    if (response.destroyed || response.writableEnded) return;
    if (response.writableNeedDrain) response.destroy();
    else response.write(text);
  }
}
