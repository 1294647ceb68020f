import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { MicroBatcher } from '../../lib/micro-batcher.js';

/**
 * The one job of every queue. It carries no data, since PostgreSQL has the work, but a version, since jobs in Redis outlive a
 * deployment.
 */
const JOB = { name: 'work', data: { v: 1 } } as const;

/** Jobs that no worker has taken yet: more of them would wake no further worker. */
const MAX_WAITING = 64;
/** A caller waits no longer for a Redis that accepts and does not answer. */
const PATIENCE_MS = 1_000;
/** Notifications that become one. */
const MAX_TOGETHER = 1_000;
/** The pause in which those that come often gather; one that comes alone never waits for it. */
const GATHER_MS = 20;
const gather = (): Promise<void> => delay(GATHER_MS);

/** Wakes workers. A lost notification costs seconds, because each worker's sweep looks into the tables by itself. */
export class WorkNotifier {
  private readonly logger = new Logger(WorkNotifier.name);
  private readonly notifications: ReadonlyMap<string, MicroBatcher<number, null>>;

  /** @param queues none in a program without Redis, which notifies nobody */
  constructor(queues: readonly Queue[]) {
    this.notifications = new Map(
      queues.map((queue) => [
        queue.name,
        new MicroBatcher<number, null>((some) => this.add(queue, some), MAX_TOGETHER, { gather }),
      ]),
    );
  }

  /**
   * Notifies workers of committed work: notifications that come while one is under way become one. Never rejects.
   * @param name of the queue, a token of the feature that works on it
   * @param workers how many of them will find something to do
   */
  async notify(name: string, workers = 1): Promise<void> {
    await this.notifications.get(name)?.add(workers);
  }

  private async add(queue: Queue, notifications: readonly number[]): Promise<null[]> {
    try {
      await withPatience(addMissing(queue, Math.min(Math.max(...notifications), MAX_WAITING)));
    } catch (error) {
      this.logger.warn(`the workers of ${queue.name} were not notified: ${(error as Error).message}`);
    }
    return notifications.map(() => null);
  }
}

async function addMissing(queue: Queue, wanted: number): Promise<void> {
  const missing = wanted - (await queue.getWaitingCount());
  if (missing > 0) await queue.addBulk(Array.from({ length: missing }, () => ({ ...JOB })));
}

/** Rejects when the work takes too long, which goes on unseen. */
async function withPatience(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Redis does not answer')), PATIENCE_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
