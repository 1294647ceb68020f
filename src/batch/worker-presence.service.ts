import { randomInt } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';

/** The first key of the advisory locks, which shows them apart from others. */
export const PRESENCE_LOCKS = 0x6d736f77;
const MOST_NUMBER = 2 ** 31 - 1;

/**
 * Tells the other workers at once that this one has died: PostgreSQL drops an advisory lock together with the connection, and the
 * kernel closes the connections of a killed process. A stopped process, or a machine that is gone, keeps its lock: for them leases end.
 */
@Injectable()
export class WorkerPresenceService implements BeforeApplicationShutdown {
  private session: QueryRunner | null = null;
  private readonly own = randomInt(1, MOST_NUMBER);

  constructor(private readonly database: DataSource) {}

  /** What the lock is on; null while this process has none. */
  get number(): number | null {
    return this.session?.isReleased === false ? this.own : null;
  }

  /** Takes the lock, again when its connection was lost. Call often. */
  async assure(): Promise<void> {
    if (this.number !== null) return;
    const session = this.database.createQueryRunner();
    try {
      const [row]: { got: boolean }[] = await session.query('SELECT pg_try_advisory_lock($1, $2) AS got', [
        PRESENCE_LOCKS,
        this.own,
      ]);
      if (row!.got) this.session = session;
      else await session.release();
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  /** After the work was given back, before the connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.number === null) return;
    // The pool may keep the connection open for somebody else.
    await this.session!.query('SELECT pg_advisory_unlock($1, $2)', [PRESENCE_LOCKS, this.own]).catch(() => undefined);
    await this.session!.release();
  }
}
