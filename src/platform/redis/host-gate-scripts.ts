/**
 * One attempt to get a place at a mail host, on Redis's clock. Tickets stand in line, one a process: whoever is before the
 * room's end gets a place and leaves the line, the others keep their position as long as they keep asking.
 *
 * KEYS: `open`, the ends of the leases of connections; `opened`, when those of the last minute were opened; `line`, the
 * tickets in their order; `asking`, until when a ticket counts although its process says nothing more.
 * ARGV: place, ticket, connections, connections a minute (0: no limit), milliseconds of a place, of a ticket.
 *
 * Returns -1 when there is a place, else the milliseconds for which there certainly is none.
 */
export const ENTER_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local open, opened, line, asking = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local place, ticket = ARGV[1], ARGV[2]
local connections, perMinute = tonumber(ARGV[3]), tonumber(ARGV[4])
local placeMs, ticketMs = tonumber(ARGV[5]), tonumber(ARGV[6])

local function whole(number)
  return string.format('%.0f', number)
end

redis.call('ZREMRANGEBYSCORE', open, '-inf', whole(now))
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', asking, '-inf', whole(now))) do
  redis.call('ZREM', line, gone)
  redis.call('ZREM', asking, gone)
end

local room, certainMs = connections - redis.call('ZCARD', open), 0
if perMinute > 0 then
  redis.call('ZREMRANGEBYSCORE', opened, '-inf', whole(now - 60000))
  local left = perMinute - redis.call('ZCARD', opened)
  if left < 1 then
    local oldest = redis.call('ZRANGE', opened, 0, 0, 'WITHSCORES')[2]
    certainMs = tonumber(oldest) + 60000 - now
  end
  room = math.min(room, left)
end

local ahead = redis.call('ZRANK', line, ticket) or redis.call('ZCARD', line)
if ahead < room then
  redis.call('ZADD', open, whole(now + placeMs), place)
  redis.call('PEXPIRE', open, whole(placeMs))
  if perMinute > 0 then
    redis.call('ZADD', opened, whole(now), place)
    redis.call('PEXPIRE', opened, 60000)
  end
  redis.call('ZREM', line, ticket)
  redis.call('ZREM', asking, ticket)
  return -1
end

local last = redis.call('ZRANGE', line, -1, -1, 'WITHSCORES')[2]
redis.call('ZADD', line, 'NX', whole((tonumber(last) or 0) + 1), ticket)
redis.call('ZADD', asking, whole(now + ticketMs), ticket)
redis.call('PEXPIRE', line, whole(ticketMs))
redis.call('PEXPIRE', asking, whole(ticketMs))
return certainMs
`;

/**
 * Prolongs places, and takes those again that Redis has forgotten: their connections are open. KEYS: the `open` of each
 * place; ARGV: milliseconds of a place, then the places.
 */
export const HOLD_SCRIPT = `
local time = redis.call('TIME')
local till = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1])
for i, open in ipairs(KEYS) do
  redis.call('ZADD', open, till, ARGV[i + 1])
  redis.call('PEXPIRE', open, ARGV[1])
end
return 0
`;
