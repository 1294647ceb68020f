import type { IncomingMessage } from 'node:http';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { AppError, invalidField } from '../errors/app-error.js';

/**
 * The most bytes that are received, twice the largest list, so that a body refused for its size can be received to its end. More
 * end the connection.
 */
const MAX_BYTES = 536_870_912;

const nobodyListens = () => undefined;

/**
 * The body of a request. No other code reads a caller's connection, so that its faults reach the reader as refusals and never
 * become errors without a listener (docs/adr/0024). Destroying the stream gives up its bytes, not the connection: they are
 * received and dropped within the same bounds, so that a refusal reaches a caller who sends everything before reading the reply
 * (RFC 9112 section 9.6).
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
    source.once('close', () => this.isOver || this.finish(cutOff()));
  }

  /** Whether its last byte has come, or no more can come. */
  get hasEnded(): boolean {
    return this.isOver;
  }

  /** Whether its rest is missing or came too late. */
  get hasFailed(): boolean {
    return this.failure !== null;
  }

  /** @param observer gets every piece from now on, whether anybody reads it or not */
  observe(observer: (piece: Buffer) => void): void {
    this.observers.push(observer);
  }

  /**
   * Drops unread bytes, and waits for the rest.
   * @throws AppError when it does not come
   */
  async arrival(): Promise<void> {
    if (!this.isOver) {
      this.destroy();
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    if (this.failure !== null) throw this.failure;
  }

  /** Ends the stream for a reader that still waits. Called when the reply has been sent or the caller has gone. */
  answered(): void {
    this.isAnswered = true;
    // Mostly it has been read to its end, and an error that nobody gets has a stack to write down.
    if (!this.destroyed) this.destroy(cutOff());
    // Node has removed the listeners of a request that nobody has read.
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
    if (this.receivedBytes > MAX_BYTES) return void this.source.destroy();
    for (const observe of this.observers) observe(piece);
    if (!this.destroyed && !this.push(piece)) this.source.pause();
  };

  private fail(failure: AppError): void {
    // No reader is left to get the error.
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

/** Pipes a caller's pieces through a parser. The reader of the result gets the errors of both sides; no other code does. */
export function through<T extends Duplex>(pieces: AsyncIterable<unknown>, parser: T): T {
  parser.on('error', nobodyListens);
  pipeline(pieces, parser as Duplex, nobodyListens);
  return parser;
}

export function gunzipped(pieces: AsyncIterable<Buffer>): Gunzip {
  return through(pieces, createGunzip({ chunkSize: 65_536 }));
}

function cutOff(): AppError {
  return invalidField('body', 'was cut off');
}

/** A request whose route reads the body itself. */
export interface StreamedRequest {
  /** The field as it was sent; empty without one. */
  sentContentType: string;
  readonly body: CallerStream;
}
