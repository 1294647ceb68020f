import type { ServerResponse } from 'node:http';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../lib/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { Drain } from '../platform/health/drain.js';
import { batchStatus } from './model/batch-kind.js';
import { type Batch, isFinished, processedOf } from './model/batch.js';
import { BatchStore } from './model/batch.store.js';

/** A server-sent event (HTML standard, section 9.2). */
interface SentEvent {
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

const READ_EVERY_MS = 1_000;

/** Gets the batch each time that it was looked at; null once it is deleted. */
type Follower = (batch: Batch | null) => void;

interface Feed {
  readonly followers: Set<Follower>;
  readonly looking: Periodic;
}

/**
 * Looks at batches that somebody follows: once a second each, however many follow it in this process. PostgreSQL is asked, because
 * workers are other processes and Redis may forget what it is told.
 */
@Injectable()
export class BatchFeedsService implements OnModuleDestroy {
  private readonly logger = new Logger(BatchFeedsService.name);
  private readonly feeds = new Map<number, Feed>();

  constructor(
    private readonly batches: BatchStore,
    @Inject(TIMER) private readonly timer: Timer,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.feeds.values()].map(({ looking }) => looking.stop()));
  }

  /** @returns ends it */
  follow(id: number, follower: Follower): () => void {
    const feed = this.feeds.get(id) ?? this.begin(id);
    feed.followers.add(follower);
    return () => {
      if (!feed.followers.delete(follower) || feed.followers.size > 0) return;
      this.feeds.delete(id);
      void feed.looking.stop();
    };
  }

  private begin(id: number): Feed {
    const followers = new Set<Follower>();
    const look = async (): Promise<void> => {
      const batch = await this.batches.find(id);
      for (const follower of followers) follower(batch);
    };
    const looking = new Periodic(look, {
      everyMs: READ_EVERY_MS,
      firstAfterMs: READ_EVERY_MS,
      timer: this.timer,
      onError: (error) => this.logger.warn(`a followed batch was not looked at: ${(error as Error).message}`),
    });
    const feed = { followers, looking };
    this.feeds.set(id, feed);
    looking.start();
    return feed;
  }
}

/** Streams of one account in one process: a window of every batch that a person looks at. */
const MAX_STREAMS = 20;
/** Also the longest that the stream of a revoked key goes on. */
const BEAT_EVERY_MS = 15_000;
/** When a caller with too many streams may try again. */
const RETRY_SECONDS = 15;

/** A stream that is asked for. */
interface FollowedBatch {
  readonly accountId: string;
  readonly batch: Batch;
  /** The id of the last event that the caller has; undefined when he has none. */
  readonly lastEventId: string | undefined;
  /** Gives what the caller gets of a status. */
  readonly present: (status: object) => object;
  /** Rejects when the caller may no longer read. */
  readonly checkAccess: () => Promise<unknown>;
}

interface OpenStream {
  readonly stream: EventStream;
  readonly checkAccess: () => Promise<unknown>;
  /** Ends it in good order. */
  readonly end: () => void;
}

/** The open event streams of this process: their number, their heartbeats and their end. */
@Injectable()
export class BatchStreamsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(BatchStreamsService.name);
  private readonly open = new Map<string, Set<OpenStream>>();
  private readonly beating: Periodic;

  constructor(
    private readonly feeds: BatchFeedsService,
    private readonly drain: Drain,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    const onError = (error: unknown): void => this.logger.warn(`no heartbeat was sent: ${(error as Error).message}`);
    this.beating = new Periodic(() => this.beat(), {
      everyMs: BEAT_EVERY_MS,
      firstAfterMs: BEAT_EVERY_MS,
      timer,
      onError,
    });
  }

  onApplicationBootstrap(): void {
    this.drain.signal.addEventListener('abort', () => this.endAll(), { once: true });
  }

  async onModuleDestroy(): Promise<void> {
    this.endAll();
    await this.beating.stop();
  }

  /** @throws AppError `too_many_streams` */
  checkRoom(accountId: string): void {
    if ((this.open.get(accountId)?.size ?? 0) >= MAX_STREAMS)
      throw new AppError('too_many_streams', { retryAfterSeconds: RETRY_SECONDS });
  }

  /** Whether the caller has seen the end of the batch: there is nothing to follow. */
  hasSeenEnd({ batch, lastEventId }: Pick<FollowedBatch, 'batch' | 'lastEventId'>): boolean {
    return isFinished(batch.state) && lastEventId === idOf(batch);
  }

  /**
   * Tells the stream what becomes of the batch, from now to its end.
   * @returns to be called when the connection has closed
   */
  begin(stream: EventStream, { accountId, batch, lastEventId, present, checkAccess }: FollowedBatch): () => void {
    let last = lastEventId;
    const tell = (now: Batch | null): void => {
      const event = this.eventOf(now, batch.id, present);
      if (event.id !== last) stream.send(event);
      last = event.id;
      if (now === null || isFinished(now.state)) one.end();
    };
    const unfollow = this.feeds.follow(batch.id, tell);
    const close = (): void => {
      unfollow();
      const streams = this.open.get(accountId);
      if (streams?.delete(one) && streams.size === 0) this.open.delete(accountId);
    };
    const one: OpenStream = {
      stream,
      checkAccess,
      end: () => {
        close();
        stream.end();
      },
    };
    this.open.set(accountId, (this.open.get(accountId) ?? new Set()).add(one));
    this.beating.start();
    tell(batch);
    return close;
  }

  private eventOf(batch: Batch | null, id: number, present: (status: object) => object): SentEvent {
    if (batch === null) return { id: 'deleted', type: 'deleted', data: present({ id, deleted: true }) };
    const type = isFinished(batch.state) ? batch.state : 'progress';
    return { id: idOf(batch), type, data: present(batchStatus(batch, this.clock.now())) };
  }

  /** A stream whose key was revoked meanwhile ends. */
  private async beat(): Promise<void> {
    for (const { stream, checkAccess, end } of this.streams()) await checkAccess().then(() => stream.beat(), end);
  }

  private endAll(): void {
    for (const { end } of this.streams()) end();
  }

  private streams(): OpenStream[] {
    return [...this.open.values()].flatMap((streams) => [...streams]);
  }
}

/** Equal as long as there is nothing new to tell. */
function idOf(batch: Batch): string {
  const { waiting } = batch;
  const waits = waiting === null ? '' : `-${waiting.count}@${waiting.nextTryAt.getTime()}`;
  return `${processedOf(batch)}${waits}-${batch.state}`;
}
