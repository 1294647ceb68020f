import { MAX_URGENT_IN_A_ROW } from '../../lib/turns.js';
import type { HostCaps } from '../../engine/ports.js';
import type { Clock } from '../../lib/clock.js';
import { defineScript } from '../../platform/redis/lua-script.js';
import type { RedisClient } from '../../platform/redis/redis.js';

/**
 * Releases permits and tries to acquire some, on Redis's clock; many in one call. A host's line holds turns, one for each process: a
 * process whose turn is within the room that is left gets a permit and leaves the line, the others keep their position as long as they
 * keep asking. A process in which a single verification waits is in the urgent line as well, which goes before the other one, but for every fifth
 * permit while somebody waits there.
 *
 * KEYS: the stem of the host's keys for each permit released, then for each attempt. Under a stem are `open`, the permits by the end of
 * their leases; `opened`, when the connections of the last minute were opened; `line` and `urgent`, the turns in their order; `inARow`, how many urgent turns
 * went before the other line since its last one; `asking`, until when a turn counts although its process says nothing more. (Keys of one slot of a cluster, by the tag in their stems.)
 * ARGV: how many are released, our turn, milliseconds of a permit, of a turn; the numbers of the permits released; then four for each
 * attempt: number of the permit, connections, connections a minute (0: no limit), whether it is urgent (1) or not (0).
 *
 * Returns for each attempt -1 when the permit is granted, else the milliseconds for which there certainly is none.
 */
const ACQUIRE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local released, turn = tonumber(ARGV[1]), ARGV[2]
local permitMs, turnMs = tonumber(ARGV[3]), tonumber(ARGV[4])

local function whole(number)
  return string.format('%.0f', number)
end

local function countOpen(open)
  redis.call('ZREMRANGEBYSCORE', open, '-inf', whole(now))
  return redis.call('ZCARD', open)
end

local function countLines(line, urgent, asking)
  for _, gone in ipairs(redis.call('ZRANGEBYSCORE', asking, '-inf', whole(now))) do
    redis.call('ZREM', line, gone)
    redis.call('ZREM', urgent, gone)
    redis.call('ZREM', asking, gone)
  end
  return redis.call('ZCARD', line), redis.call('ZCARD', urgent)
end

local function enqueue(line)
  local last = redis.call('ZRANGE', line, -1, -1, 'WITHSCORES')[2]
  redis.call('ZADD', line, 'NX', whole((tonumber(last) or 0) + 1), turn)
  redis.call('PEXPIRE', line, whole(turnMs))
end

local function acquire(stem, permit, connections, perMinute, isUrgent)
  local open, opened, line, asking = stem .. ':open', stem .. ':opened', stem .. ':line', stem .. ':asking'
  local urgent, inARow = stem .. ':urgent', stem .. ':inARow'
  -- Most hosts have one connection in a batch: none is open, and nobody waits.
  local isEmpty = redis.call('EXISTS', open, line, urgent) == 0
  local room, certainMs = connections - (isEmpty and 0 or countOpen(open)), 0
  if perMinute > 0 then
    redis.call('ZREMRANGEBYSCORE', opened, '-inf', whole(now - 60000))
    local left = perMinute - redis.call('ZCARD', opened)
    if left < 1 then
      local oldest = redis.call('ZRANGE', opened, 0, 0, 'WITHSCORES')[2]
      certainMs = tonumber(oldest) + 60000 - now
    end
    room = math.min(room, left)
  end

  local own, ahead, others, hurried = isUrgent and urgent or line, 0, 0, 0
  if not isEmpty then
    others, hurried = countLines(line, urgent, asking)
    if hurried > 0 and not isUrgent then hurried = hurried - redis.call('ZREM', urgent, turn) end
    ahead = (others > 0 or hurried > 0) and redis.call('ZRANK', own, turn) or (isUrgent and hurried or others)
    -- Whoever is first in the other line goes before the urgent ones when so many of them went before it.
    local isOwed = others > 0 and tonumber(redis.call('GET', inARow) or 0) >= ${MAX_URGENT_IN_A_ROW}
    if isUrgent and isOwed and redis.call('ZRANK', line, turn) ~= 0 then ahead = ahead + 1 end
    if not isUrgent and not (isOwed and ahead == 0) then ahead = ahead + hurried end
  end
  if ahead < room then
    redis.call('ZADD', open, whole(now + permitMs), permit)
    redis.call('PEXPIRE', open, whole(permitMs))
    if perMinute > 0 then
      redis.call('ZADD', opened, whole(now), permit)
      redis.call('PEXPIRE', opened, 60000)
    end
    if others > 0 or hurried > 0 then
      redis.call('ZREM', own, turn)
      if not isUrgent then
        redis.call('DEL', inARow)
      elseif others > 0 then
        redis.call('INCR', inARow)
        redis.call('PEXPIRE', inARow, whole(turnMs))
      end
      if not (isUrgent and redis.call('ZRANK', line, turn)) then redis.call('ZREM', asking, turn) end
    end
    return -1
  end

  enqueue(own)
  redis.call('ZADD', asking, whole(now + turnMs), turn)
  redis.call('PEXPIRE', asking, whole(turnMs))
  return certainMs
end

for i = 1, released do
  redis.call('ZREM', KEYS[i] .. ':open', turn .. ':' .. ARGV[4 + i])
end
local answers = {}
for i = released + 1, #KEYS do
  local arg = 5 + released + 4 * #answers
  local permit, connections, perMinute = turn .. ':' .. ARGV[arg], tonumber(ARGV[arg + 1]), tonumber(ARGV[arg + 2])
  answers[#answers + 1] = acquire(KEYS[i], permit, connections, perMinute, ARGV[arg + 3] == '1')
end
return answers
`;

/**
 * Renews permits, and takes those again that Redis has lost: their connections are open. KEYS: the host's stem for each permit; ARGV: our
 * turn, milliseconds of a permit, then the numbers of the permits.
 */
export const RENEW_SCRIPT = `
local time = redis.call('TIME')
local till = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2])
for i, stem in ipairs(KEYS) do
  redis.call('ZADD', stem .. ':open', till, ARGV[1] .. ':' .. ARGV[i + 2])
  redis.call('PEXPIRE', stem .. ':open', ARGV[2])
end
return 0
`;

interface Attempt {
  readonly host: string;
  readonly caps: HostCaps;
  readonly permit: number;
  readonly isUrgent: boolean;
  readonly answered: (answer: number) => void;
  readonly failed: (error: Error) => void;
}

/** Attempts of one call: Redis does nothing else meanwhile. */
const MAX_ATTEMPTS = 50;
/** Released permits are sent together after this long, which is as long as a waiter pauses between two attempts at least. */
const RELEASE_WITHIN_MS = 20;

const acquirePermits = defineScript<number[]>('acquirePermits', null, ACQUIRE_SCRIPT);

/** Sends attempts and releases to Redis, batched for one turn of the event loop: a call costs more than its work in Redis. */
export class ConnectionLimiterCalls {
  #attempts: Attempt[] = [];
  /** Permits with their hosts. */
  #released = new Map<number, string>();
  #isCallDue = false;
  #isReleaseDue = false;

  /** @param times milliseconds that a permit, and a turn in line, are valid */
  constructor(
    private readonly redis: RedisClient,
    private readonly clock: Clock,
    private readonly turn: string,
    private readonly times: { readonly permitMs: number; readonly turnMs: number },
  ) {}

  /**
   * Resolves with -1 when the permit is granted, else with the milliseconds for which there certainly is none.
   * `permit` is a number that the process has not used before; an urgent attempt is for a single verification.
   */
  attempt({ host, caps, permit, isUrgent }: Omit<Attempt, 'answered' | 'failed'>): Promise<number> {
    return new Promise((answered, failed) => {
      this.#attempts.push({ host, caps, permit, isUrgent, answered, failed });
      this.#callSoon();
    });
  }

  release(host: string, permit: number): void {
    this.#released.set(permit, host);
    if (this.#isReleaseDue) return;
    this.#isReleaseDue = true;
    this.clock.after(RELEASE_WITHIN_MS, () => {
      this.#isReleaseDue = false;
      if (this.#released.size > 0) this.#callSoon();
    });
  }

  #callSoon(): void {
    if (this.#isCallDue) return;
    this.#isCallDue = true;
    setImmediate(() => {
      this.#isCallDue = false;
      const attempts = this.#attempts;
      const released = this.#released;
      this.#attempts = [];
      this.#released = new Map();
      void this.#call(released, attempts.slice(0, MAX_ATTEMPTS));
      for (let i = MAX_ATTEMPTS; i < attempts.length; i += MAX_ATTEMPTS)
        void this.#call(new Map(), attempts.slice(i, i + MAX_ATTEMPTS));
    });
  }

  async #call(released: ReadonlyMap<number, string>, attempts: readonly Attempt[]): Promise<void> {
    const { permitMs, turnMs } = this.times;
    const keys: string[] = [];
    const values: (string | number)[] = [released.size, this.turn, permitMs, turnMs];
    for (const [permit, host] of released) {
      keys.push(keyStem(host));
      values.push(permit);
    }
    for (const { host, caps, permit, isUrgent } of attempts) {
      keys.push(keyStem(host));
      values.push(permit, caps.connections, caps.connectionsPerMinute ?? 0, isUrgent ? 1 : 0);
    }
    try {
      const answers = await acquirePermits(this.redis, keys.length, ...keys, ...values);
      attempts.forEach(({ answered }, i) => answered(answers[i]!));
    } catch (error) {
      // A permit whose release is lost is free when its lease ends.
      for (const { failed } of attempts) failed(error as Error);
    }
  }
}

/** Prefix of all Redis keys of a host. The tag puts all of them into one slot of a cluster: a call is about many hosts. */
export const keyStem = (host: string): string => `{limiter}:${host}`;
