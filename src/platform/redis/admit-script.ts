/**
 * Decides all limits of one request at once, on Redis's clock: either every limit has room and each is used by one, or
 * none is touched. One KEYS entry a limit; ARGV is the request's id and then three values a limit:
 *
 * - `window`, requests, milliseconds: a sorted set of the times (microseconds) of the requests admitted; exact in any window.
 * - `bucket`, burst, microseconds a token: the generic cell rate algorithm, one number: when the bucket is full again.
 * - `slots`, places, milliseconds of lease: a sorted set of the ends of the leases of what is running.
 *
 * Returns the position of the first limit that refuses (0: admitted), then for each limit how many more it would admit now
 * and the milliseconds until it gets one back.
 */
export const ADMIT_SCRIPT = `
local time = redis.call('TIME')
local nowMicros = time[1] * 1000000 + time[2]
local id = ARGV[1]
local room, take, wait = {}, {}, {}

local function whole(number)
  return string.format('%.0f', number)
end

function room.window(key, requests, windowMs)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', whole(nowMicros - windowMs * 1000))
  return requests - redis.call('ZCARD', key)
end
function take.window(key, requests, windowMs)
  redis.call('ZADD', key, whole(nowMicros), id)
  redis.call('PEXPIRE', key, whole(windowMs))
end
function wait.window(key, requests, windowMs, left)
  local position = math.max(0 - left, 0) -- "-left" would send a 0 as "-0"
  local leaving = redis.call('ZRANGE', key, position, position, 'WITHSCORES')[2]
  return leaving and math.ceil((leaving - nowMicros) / 1000) + windowMs or windowMs
end

local function fullAt(key)
  return math.max(tonumber(redis.call('GET', key)) or 0, nowMicros)
end
function room.bucket(key, burst, tokenMicros)
  return burst - math.ceil((fullAt(key) - nowMicros) / tokenMicros)
end
function take.bucket(key, burst, tokenMicros)
  local full = fullAt(key) + tokenMicros
  redis.call('SET', key, whole(full), 'PX', whole(math.ceil((full - nowMicros) / 1000) + 1))
end
function wait.bucket(key, burst, tokenMicros, left)
  local missing = (fullAt(key) - nowMicros) / tokenMicros
  return math.ceil((missing - math.ceil(missing) + 1 + math.max(0 - left, 0)) * tokenMicros / 1000)
end

function room.slots(key, places, leaseMs)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', whole(nowMicros))
  return places - redis.call('ZCARD', key)
end
function take.slots(key, places, leaseMs)
  redis.call('ZADD', key, whole(nowMicros + leaseMs * 1000), id)
  redis.call('PEXPIRE', key, whole(leaseMs))
end
function wait.slots()
  return 0
end

local limits, refusing = {}, 0
for i, key in ipairs(KEYS) do
  local kind, a, b = ARGV[3 * i - 1], tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  limits[i] = { kind = kind, key = key, a = a, b = b, left = room[kind](key, a, b) }
  if refusing == 0 and limits[i].left < 1 then refusing = i end
end
local reply = { refusing }
for i, limit in ipairs(limits) do
  if refusing == 0 then
    take[limit.kind](limit.key, limit.a, limit.b)
    limit.left = limit.left - 1
  end
  reply[2 * i] = math.max(limit.left, 0)
  reply[2 * i + 1] = wait[limit.kind](limit.key, limit.a, limit.b, limit.left)
end
return reply
`;

/** Prolongs leases that are still there: a KEYS entry and an ARGV id each; ARGV[1] is the lease in milliseconds. */
export const RENEW_SCRIPT = `
local time = redis.call('TIME')
local lease = ARGV[1]
local till = string.format('%.0f', time[1] * 1000000 + time[2] + lease * 1000)
for i, key in ipairs(KEYS) do
  redis.call('ZADD', key, 'XX', till, ARGV[i + 1])
  redis.call('PEXPIRE', key, lease)
end
return 0
`;
