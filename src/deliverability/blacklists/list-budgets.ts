import { Inject, Injectable, Optional } from '@nestjs/common';
import { DAY_MS } from '../../lib/durations.js';
import type { Blacklist } from '../../mail-dns/blacklist-row.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { REDIS, type RedisClient } from '../../platform/redis/redis.js';

/** Longer than a day, so that no day's count ends before the day. */
const RETENTION_SECONDS = 2 * 86_400;

/** How many questions lists are asked in a UTC day, all processes together: each list has a ceiling of its own. */
@Injectable()
export class ListBudgets {
  constructor(
    // The commands of administrators have none: they ask lists for test points, which are not counted, and about nobody.
    @Optional() @Inject(REDIS) private readonly redis: RedisClient,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * Takes so many questions from the day of each list.
   * @param share of the day that may be used up: what asks by itself leaves the rest to people
   * @returns the ids of lists that have not as many left, and from which none are taken
   */
  async take(wanted: ReadonlyMap<Blacklist, number>, share = 1): Promise<ReadonlySet<string>> {
    const day = Math.floor(this.clock.now() / DAY_MS);
    const refused = await Promise.all(
      [...wanted].map(async ([list, questions]) => {
        const key = `blacklists:${list.id}:${day}`;
        const asked = await this.redis.incrby(key, questions);
        if (asked === questions) await this.redis.expire(key, RETENTION_SECONDS);
        if (asked <= list.queriesPerDay * share) return null;
        await this.redis.decrby(key, questions);
        return list.id;
      }),
    );
    return new Set(refused.filter((id) => id !== null));
  }
}
