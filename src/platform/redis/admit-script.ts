/**
 * Decides the limits of requests one after another, on Redis's clock: either every limit of a request has room and each counts one
 * more, or none changes. One KEYS entry a limit; ARGV is for each request its id, the number of its limits, and three values a limit:
 *
 * - `window`, requests, milliseconds: a sorted set of the times (microseconds) of the requests admitted; exact in any window.
 * - `bucket`, burst, microseconds a token: the generic cell rate algorithm, one number: when the bucket is full again.
 * - `permits`, permits, milliseconds of lease: a sorted set of the ends of the leases of what is running.
 * - `release`, 0, 0: no limit; gives the permit of that id back.
 *
 * A bucket or permits may be named with a number, such as `bucket:5`: then up to so many are taken at once, an eighth of what there is at
 * most and one at least; further permits have the id with `:1`, `:2` and so on.
 *
 * Returns for each request the position of the first limit that refuses (0: admitted), then for each of its limits how many more it
 * would admit now, the milliseconds until it gets one back, and how many were taken.
 */
export const ADMIT_SCRIPT = `
local time = redis.call('TIME')
local nowMicros = time[1] * 1000000 + time[2]
local id
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
function take.bucket(key, burst, tokenMicros, taken)
  local full = fullAt(key) + tokenMicros * taken
  redis.call('SET', key, whole(full), 'PX', whole(math.ceil((full - nowMicros) / 1000) + 1))
end
function wait.bucket(key, burst, tokenMicros, left)
  local missing = (fullAt(key) - nowMicros) / tokenMicros
  return math.ceil((missing - math.ceil(missing) + 1 + math.max(0 - left, 0)) * tokenMicros / 1000)
end

function room.permits(key, permits, leaseMs)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', whole(nowMicros))
  return permits - redis.call('ZCARD', key)
end
function take.permits(key, permits, leaseMs, taken)
  local till = whole(nowMicros + leaseMs * 1000)
  redis.call('ZADD', key, till, id)
  for i = 1, taken - 1 do redis.call('ZADD', key, till, id .. ':' .. i) end
  redis.call('PEXPIRE', key, whole(leaseMs))
end
function wait.permits()
  return 0
end

function room.release()
  return 1
end
function take.release(key)
  redis.call('ZREM', key, id)
end
function wait.release()
  return 0
end

local reply, nextKey, nextValue = {}, 1, 1
while nextKey <= #KEYS do
  id = ARGV[nextValue]
  local count = tonumber(ARGV[nextValue + 1])
  local limits, refusing = {}, 0
  for i = 1, count do
    local key, at = KEYS[nextKey + i - 1], nextValue + 3 * i - 1
    local a, b = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
    local kind, most = ARGV[at], 1
    local colon = string.find(kind, ':', 1, true)
    if colon then kind, most = string.sub(kind, 1, colon - 1), tonumber(string.sub(kind, colon + 1)) end
    local left = room[kind](key, a, b)
    local taken = math.max(math.min(most, math.floor(left / 8)), 1)
    limits[i] = { kind = kind, key = key, a = a, b = b, left = left, taken = taken }
    if refusing == 0 and limits[i].left < 1 then refusing = i end
  end
  reply[#reply + 1] = refusing
  for i, limit in ipairs(limits) do
    if refusing == 0 then
      take[limit.kind](limit.key, limit.a, limit.b, limit.taken)
      limit.left = limit.left - limit.taken
    else
      limit.taken = 0
    end
    reply[#reply + 1] = math.max(limit.left, 0)
    reply[#reply + 1] = wait[limit.kind](limit.key, limit.a, limit.b, limit.left)
    reply[#reply + 1] = limit.taken
  end
  nextKey, nextValue = nextKey + count, nextValue + 2 + 3 * count
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
