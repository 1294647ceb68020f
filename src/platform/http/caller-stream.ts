import type { IncomingMessage } from 'node:http';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { AppError } from '../errors/app-error.js';

/** Twice the largest list: what is refused for its size can be received to its end. More ends the connection. */
const MOST_BYTES = 536_870_912;

const nobodyListens = () => undefined;

/**
 * The body of a request. Nobody else reads a caller's connection: what the caller does to it ends as a refusal for the reader, never as an
 * error without a listener (docs/adr/0024). Destroying the stream gives up its bytes, not the connection: they are received and dropped
 * within the same bounds, so that a refusal reaches a caller who sends everything before reading the reply (RFC 9112 section 9.6).
 */
export class CallerStream extends Readable {
  private receivedBytes = 0;
  private isOver = false;
  private isAnswered = false;
  private failure: AppError | null = null;
  private readonly observers: ((piece: Buffer) => void)[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly timer: NodeJS.Timeout;

  /** @param withinMs from the head of the request to the last byte of its body, whether somebody reads it or not */
  constructor(
    private readonly source: IncomingMessage,
    withinMs: number,
  ) {
    super();
    this.on('error', nobodyListens);
    this.timer = setTimeout(() => this.fail(new AppError('request_timeout')), withinMs).unref();
    source.pause();
    source.on('error', nobodyListens);
    source.on('data', this.receive);
    source.once('end', () => this.finish(null));
    source.once('close', () => this.finish(cutOff()));
  }

  /** Whether its last byte has come, or none will. */
  get hasEnded(): boolean {
    return this.isOver;
  }

  /** Whether the rest of it did not come, or came too late. */
  get hasFailed(): boolean {
    return this.failure !== null;
  }

  /** @param observer is called with every piece that comes from now on, whoever reads it */
  observe(observer: (piece: Buffer) => void): void {
    this.observers.push(observer);
  }

  /**
   * Drops what nobody has read, and waits for the rest.
   * @throws AppError when it does not come
   */
  async arrival(): Promise<void> {
    if (!this.isOver) {
      this.destroy();
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    if (this.failure !== null) throw this.failure;
  }

  /** To be called when the reply has gone out, or the caller: who still reads is told that no more comes. */
  answered(): void {
    this.isAnswered = true;
    this.destroy(cutOff());
    // Node takes the listeners off a request that nobody has read by then.
    if (!this.isOver) this.source.off('data', this.receive).on('data', this.receive);
  }

  override _read(): void {
    this.source.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.source.resume();
    done(error);
  }

  private readonly receive = (piece: Buffer): void => {
    this.receivedBytes += piece.length;
    if (this.receivedBytes > MOST_BYTES) return void this.source.destroy();
    for (const observe of this.observers) observe(piece);
    if (!this.destroyed && !this.push(piece)) this.source.pause();
  };

  private fail(failure: AppError): void {
    // Nobody is left to be told.
    if (this.isAnswered) this.source.destroy();
    this.finish(failure);
  }

  private finish(failure: AppError | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.failure = failure;
    clearTimeout(this.timer);
    if (failure !== null) this.destroy(failure);
    else if (!this.destroyed) this.push(null);
    for (const resume of this.waiting) resume();
  }
}

/** Pieces of a caller on their way through a parser; an error on either side is told to the reader of the result, and to nobody else. */
export function through<T extends Duplex>(pieces: AsyncIterable<unknown>, parser: T): T {
  parser.on('error', nobodyListens);
  pipeline(pieces, parser as Duplex, nobodyListens);
  return parser;
}

export function gunzipped(pieces: AsyncIterable<Buffer>): Gunzip {
  return through(pieces, createGunzip({ chunkSize: 65_536 }));
}

function cutOff(): AppError {
  return new AppError('invalid_input', { fields: [{ field: 'body', error: 'body was cut off' }] });
}
