import { randomInt } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SessionLock } from '../../platform/database/session-lock.js';

/** The first key of the advisory locks of workers, which distinguishes them from others. */
export const PRESENCE_LOCKS = 0x6d736f77;
const MAX_NUMBER = 2 ** 31 - 1;

/**
 * Holds an advisory lock as long as this process lives, so that its end tells other workers at once that the process has died. A
 * suspended process keeps its lock, and a lost machine's process keeps it until PostgreSQL notices: the leases of both expire.
 */
@Injectable()
export class WorkerPresenceService implements BeforeApplicationShutdown {
  private readonly own = randomInt(1, MAX_NUMBER);
  private readonly lock: SessionLock;

  constructor(database: DataSource) {
    this.lock = new SessionLock(database, [PRESENCE_LOCKS, this.own]);
  }

  /** The number that is locked; null while this process has no lock. */
  get number(): number | null {
    return this.lock.isHeld ? this.own : null;
  }

  /** Takes the lock, and again when its connection was lost. Called by every sweep. */
  async assure(): Promise<void> {
    await this.lock.take();
  }

  /** `BatchWorker.onModuleDestroy` has released the leases before. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.lock.release();
  }
}
