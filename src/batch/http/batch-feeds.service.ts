import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../lib/periodic.js';
import { TIMER, type Timer } from '../../platform/clock.js';
import type { Batch } from '../model/batch.js';
import { BatchStore } from '../model/batch.store.js';

const LOOK_EVERY_MS = 1_000;

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
export class BatchFeeds implements OnModuleDestroy {
  private readonly logger = new Logger(BatchFeeds.name);
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
      everyMs: LOOK_EVERY_MS,
      firstAfterMs: LOOK_EVERY_MS,
      timer: this.timer,
      onError: (error) => this.logger.warn(`a followed batch was not looked at: ${(error as Error).message}`),
    });
    const feed = { followers, looking };
    this.feeds.set(id, feed);
    looking.start();
    return feed;
  }
}
