import { randomInt } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SessionLock } from '../platform/database/session-lock.js';

/** The first key of the locks, which tells them from others. */
export const PRESENCE_LOCKS = 0x6d736f77;
const MOST_NUMBER = 2 ** 31 - 1;

/**
 * Tells the other workers at once that this one has died. A stopped process keeps its lock, and one of a machine that is gone
 * lasts until PostgreSQL finds out: for them there is the end of the leases.
 */
@Injectable()
export class WorkerPresenceService implements BeforeApplicationShutdown {
  private readonly own = randomInt(1, MOST_NUMBER);
  private readonly lock: SessionLock;

  constructor(database: DataSource) {
    this.lock = new SessionLock(database, [PRESENCE_LOCKS, this.own]);
  }

  /** What the lock is on; null while this process has none. */
  get number(): number | null {
    return this.lock.isHeld ? this.own : null;
  }

  /** Takes the lock, again when its connection was lost. Call often. */
  async assure(): Promise<void> {
    await this.lock.take();
  }

  /** After the work was given back. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.lock.release();
  }
}
