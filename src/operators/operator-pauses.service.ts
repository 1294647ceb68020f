import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { invalidField } from '../platform/errors/app-error.js';
import { type OperatorPause, OperatorPauseStore } from './operator-pause.store.js';

export type { OperatorPause };

/** Pauses of mail operators, as PostgreSQL keeps them. */
@Injectable()
export class OperatorPausesService {
  constructor(
    private readonly store: OperatorPauseStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Those that hold now, by name. */
  list(): Promise<readonly OperatorPause[]> {
    return this.store.list(new Date(this.clock.now()));
  }

  /** Takes the place of an earlier pause. @throws AppError `invalid_input` for an end that does not lie ahead */
  async pause(tx: EntityManager, pause: Omit<OperatorPause, 'pausedAt'>): Promise<OperatorPause> {
    const pausedAt = new Date(this.clock.now());
    if (pause.endsAt !== null && pause.endsAt <= pausedAt)
      throw invalidField('until', 'must be a time that lies ahead');
    await this.store.put(tx, { ...pause, pausedAt });
    return { ...pause, pausedAt };
  }

  /** One that is not paused stays as it is. */
  resume(tx: EntityManager, operator: string): Promise<void> {
    return this.store.delete(tx, operator);
  }
}
