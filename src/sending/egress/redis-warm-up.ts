import type { WarmUp } from '../../engine/ports.js';
import type { Clock } from '../../lib/clock.js';
import { defineScript } from '../../platform/redis/lua-script.js';
import type { RedisClient } from '../../platform/redis/redis.js';

/** Long enough for a day to be over everywhere. */
const LIFE_SECONDS = 2 * 86_400;

/** KEYS: the counter of the day. ARGV: the most recipients, those wanted, seconds to live; what is wanted may be negative: it is given back. */
const TAKE_SCRIPT = `
local used, wanted = tonumber(redis.call('GET', KEYS[1]) or 0), tonumber(ARGV[2])
local granted = wanted < 0 and math.max(wanted, -used) or math.max(0, math.min(wanted, tonumber(ARGV[1]) - used))
if granted ~= 0 then
  redis.call('INCRBY', KEYS[1], granted)
  redis.call('EXPIRE', KEYS[1], ARGV[3])
end
return granted
`;

const takeRecipients = defineScript<number>('takeRecipients', 1, TAKE_SCRIPT);

/** Counts the recipients that sources name while they are warmed up, all processes together. A process that is killed uses up what it has taken. */
export class RedisWarmUp implements WarmUp {
  constructor(
    private readonly redis: RedisClient,
    private readonly clock: Clock,
  ) {}

  take(operator: string, source: string, most: number, wanted: number): Promise<number> {
    return takeRecipients(this.redis, this.keyOf(operator, source), most, wanted, LIFE_SECONDS);
  }

  giveBack(operator: string, source: string, count: number): void {
    // What is not given back is not asked today.
    takeRecipients(this.redis, this.keyOf(operator, source), 0, -count, LIFE_SECONDS).catch(() => undefined);
  }

  private keyOf(operator: string, source: string): string {
    return `{limiter}:${operator}@${source}:${new Date(this.clock.now()).toISOString().slice(0, 10)}`;
  }
}
