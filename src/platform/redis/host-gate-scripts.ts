/**
 * Places given back and attempts to get some, on Redis's clock; many in one call, because on the way to a million addresses there are
 * 60,000 of each. Tickets stand in line, one a process: whoever is before the room's end gets a place and leaves the line, the others keep
 * their position as long as they keep asking.
 *
 * KEYS: the stem of the host's keys for each place given back, then for each attempt. Under a stem are `open`, the ends of the leases of
 * connections; `opened`, when those of the last minute were opened; `line`, the tickets in their order; `asking`, until when a ticket counts
 * although its process says nothing more. (For one Redis, not for a cluster, which must be told each name.)
 * ARGV: how many are given back, ticket, milliseconds of a place, of a ticket; the numbers of the places given back; then three for each
 * attempt: number of the place, connections, connections a minute (0: no limit).
 *
 * Returns for each attempt -1 when there is a place, else the milliseconds for which there certainly is none.
 */
export const ENTER_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local given, ticket = tonumber(ARGV[1]), ARGV[2]
local placeMs, ticketMs = tonumber(ARGV[3]), tonumber(ARGV[4])

local function whole(number)
  return string.format('%.0f', number)
end

local function countOpen(open)
  redis.call('ZREMRANGEBYSCORE', open, '-inf', whole(now))
  return redis.call('ZCARD', open)
end

local function countLine(line, asking)
  for _, gone in ipairs(redis.call('ZRANGEBYSCORE', asking, '-inf', whole(now))) do
    redis.call('ZREM', line, gone)
    redis.call('ZREM', asking, gone)
  end
  return redis.call('ZCARD', line)
end

local function enter(stem, place, connections, perMinute)
  local open, opened, line, asking = stem .. ':open', stem .. ':opened', stem .. ':line', stem .. ':asking'
  -- Of most hosts a batch has one connection: nobody is there, and nobody waits.
  local isEmpty = redis.call('EXISTS', open, line) == 0
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

  local waiting = isEmpty and 0 or countLine(line, asking)
  local ahead = waiting > 0 and redis.call('ZRANK', line, ticket) or waiting
  if ahead < room then
    redis.call('ZADD', open, whole(now + placeMs), place)
    redis.call('PEXPIRE', open, whole(placeMs))
    if perMinute > 0 then
      redis.call('ZADD', opened, whole(now), place)
      redis.call('PEXPIRE', opened, 60000)
    end
    if waiting > 0 then
      redis.call('ZREM', line, ticket)
      redis.call('ZREM', asking, ticket)
    end
    return -1
  end

  local last = redis.call('ZRANGE', line, -1, -1, 'WITHSCORES')[2]
  redis.call('ZADD', line, 'NX', whole((tonumber(last) or 0) + 1), ticket)
  redis.call('ZADD', asking, whole(now + ticketMs), ticket)
  redis.call('PEXPIRE', line, whole(ticketMs))
  redis.call('PEXPIRE', asking, whole(ticketMs))
  return certainMs
end

for i = 1, given do
  redis.call('ZREM', KEYS[i] .. ':open', ticket .. ':' .. ARGV[4 + i])
end
local answers = {}
for i = given + 1, #KEYS do
  local arg = 5 + given + 3 * #answers
  local place = ticket .. ':' .. ARGV[arg]
  answers[#answers + 1] = enter(KEYS[i], place, tonumber(ARGV[arg + 1]), tonumber(ARGV[arg + 2]))
end
return answers
`;

/**
 * Prolongs places, and takes those again that Redis has forgotten: their connections are open. KEYS: the host's stem for each place; ARGV:
 * ticket, milliseconds of a place, then the numbers of the places.
 */
export const HOLD_SCRIPT = `
local time = redis.call('TIME')
local till = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2])
for i, stem in ipairs(KEYS) do
  redis.call('ZADD', stem .. ':open', till, ARGV[1] .. ':' .. ARGV[i + 2])
  redis.call('PEXPIRE', stem .. ':open', ARGV[2])
end
return 0
`;
