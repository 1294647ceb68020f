import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { HOUR_MS } from '../../lib/durations.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';

/** A list that many watched targets turned listed on at once. */
export interface ListSuspicion {
  readonly list: string;
  readonly since: Date;
  readonly until: Date;
  readonly turned: number;
  readonly watched: number;
}

/** Within this time targets turn listed together; a suspicion ends when they have not for as long. */
const WINDOW_MS = HOUR_MS;
const MIN_TURNED = 10;
const MIN_SHARE = 0.05;
/** Of two targets both must turn listed before a list of low standing is doubted. */
const MIN_TURNED_OF_FEW = 2;

/** Targets that turned listed on a list within the window. */
export interface TurnedList {
  readonly targets: number;
  /** Whether much mail is lost by such a listing: then it is told unless many say otherwise. */
  readonly isOfWeight: boolean;
}

/**
 * The mass guard: when more than 5 % of the targets that were looked at within an hour, and at least ten, turn listed on one list, it is
 * under suspicion, and nobody is told what it says. Of a list of low standing more than half of them are enough where they are few. Test
 * points do not show a list that lists too much.
 */
@Injectable()
export class ListSuspicionsService {
  private readonly logger = new Logger(ListSuspicionsService.name);

  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Those that last, by list. */
  async lasting(tx: EntityManager = this.database.manager): Promise<ReadonlyMap<string, ListSuspicion>> {
    const rows: ListSuspicion[] = await tx.query(
      'SELECT list, since, until, turned, watched FROM blacklist_suspicions WHERE until > $1',
      [new Date(this.clock.now())],
    );
    return new Map(rows.map((row) => [row.list, row]));
  }

  /** From when on targets count that turned listed. */
  get countedFrom(): Date {
    return new Date(this.clock.now() - WINDOW_MS);
  }

  /** @param turned by list, @param watched targets that were looked at, both within the window */
  async weigh(tx: EntityManager, turned: ReadonlyMap<string, TurnedList>, watched: number): Promise<void> {
    const now = this.clock.now();
    // One order for all, so that no two transactions wait for each other.
    for (const [list, { targets: count, isOfWeight }] of [...turned].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const most = Math.max(MIN_TURNED_OF_FEW, Math.floor(watched / 2) + 1);
      if (count < (isOfWeight ? MIN_TURNED : Math.min(MIN_TURNED, most)) || count <= watched * MIN_SHARE) continue;
      const [row]: { isNew: boolean }[] = await tx.query(
        `WITH before AS (SELECT until FROM blacklist_suspicions WHERE list = $1)
         INSERT INTO blacklist_suspicions AS known (list, since, until, turned, watched) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (list) DO UPDATE
           SET since = CASE WHEN known.until > excluded.since THEN known.since ELSE excluded.since END,
               until = excluded.until, turned = excluded.turned, watched = excluded.watched
         RETURNING NOT EXISTS (SELECT FROM before WHERE until > $2) AS "isNew"`,
        [list, new Date(now), new Date(now + WINDOW_MS), count, watched],
      );
      // The first words are for those who are woken by a log: they stay as they are.
      if (row!.isNew)
        this.logger.error(
          `Block list under suspicion: ${list} turned ${count} of ${watched} watched targets listed within an hour; what it says is not told.`,
        );
    }
  }
}
