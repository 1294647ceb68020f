import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../lib/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Drain } from '../../platform/health/drain.js';
import { type Batch, isFinished, processedOf } from '../model/batch.js';
import { batchStatus } from '../model/batch-status.js';
import { BatchFeeds } from './batch-feeds.service.js';
import type { EventStream, SentEvent } from './event-stream.js';

/** Streams of one account in one process: a window of every batch that a person looks at. */
const MAX_STREAMS = 20;
/** Also the longest that the stream of a revoked key goes on. */
const BEAT_EVERY_MS = 15_000;
/** When a caller with too many streams may try again. */
const RETRY_SECONDS = 15;

/** A stream that is asked for. */
export interface FollowedBatch {
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
export class BatchStreams implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(BatchStreams.name);
  private readonly open = new Map<string, Set<OpenStream>>();
  private readonly beating: Periodic;

  constructor(
    private readonly feeds: BatchFeeds,
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
