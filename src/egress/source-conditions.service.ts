import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { SourceConditionStore, type TakenOutSource } from './source-condition.store.js';

export type { TakenOutSource };

/** Which sources administrators have taken out, as PostgreSQL keeps it; every process honours a change within two seconds. */
@Injectable()
export class SourceConditionsService {
  constructor(
    private readonly store: SourceConditionStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Those that are drained or paused, by name. */
  list(): Promise<readonly TakenOutSource[]> {
    return this.store.list();
  }

  /** The same, with those that rest since a block list has them. */
  inForce(): Promise<readonly Pick<TakenOutSource, 'source' | 'condition'>[]> {
    return this.store.inForce();
  }

  /** Drains or pauses a source, whatever its condition was. The caller knows that there is one of this name. */
  async takeOut(tx: EntityManager, taken: Omit<TakenOutSource, 'changedAt'>): Promise<TakenOutSource> {
    const whole = { ...taken, changedAt: new Date(this.clock.now()) };
    await this.store.put(tx, whole);
    return whole;
  }

  /** The source asks again, also one that rests; one that is not taken out stays as it is. */
  open(tx: EntityManager, source: string): Promise<void> {
    return this.store.delete(tx, source);
  }
}
