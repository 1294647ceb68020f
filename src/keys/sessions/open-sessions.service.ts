import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import type { Owner } from '../access/owner.js';
import { type Session, SessionStore } from './session.store.js';

/** The browsers that are signed in with keys of an account. */
@Injectable()
export class OpenSessions {
  constructor(
    private readonly store: SessionStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Newest first; a few for each key. */
  of(owner: Owner): Promise<Session[]> {
    return this.store.listOf(owner, new Date(this.clock.now()));
  }
}
