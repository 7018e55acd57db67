-- Writes a batch if the lease is current and the batch is the next one.
-- KEYS: head, then what the batch touches.
-- ARGV: fence, nonce, attempt, number before, number, id, how many checks;
--       the kind of every key but head;
--       the checks: key, score, how what stands there must begin;
--       the commands: name, key, how many arguments, arguments.
-- Whatever could fail is looked at before the first write.
local head = redis.call('HMGET', KEYS[1], 'fence', 'nonce', 'attempt', 'n', 'id')
if ARGV[2] == '' or head[1] ~= ARGV[1] or head[2] ~= ARGV[2] or head[3] ~= ARGV[3] then
  return 'fenced'
end
if head[4] == ARGV[5] and head[5] == ARGV[6] then
  return 'again'
end
if head[4] ~= ARGV[4] then
  return 'fenced'
end
local at = 8
for i = 2, #KEYS do
  local kind = redis.call('TYPE', KEYS[i]).ok
  if kind ~= 'none' and kind ~= ARGV[at] then
    return 'kind ' .. (i - 1)
  end
  at = at + 1
end
for i = 1, tonumber(ARGV[7]) do
  local score, begins = ARGV[at + 1], ARGV[at + 2]
  local there = redis.call('ZRANGEBYSCORE', KEYS[tonumber(ARGV[at])], score, score)[1]
  if there and string.sub(there, 1, #begins) ~= begins then
    return 'taken ' .. i
  end
  at = at + 3
end
redis.call('HSET', KEYS[1], 'n', ARGV[5], 'id', ARGV[6])
while at <= #ARGV do
  local last = at + 2 + tonumber(ARGV[at + 2])
  redis.call(ARGV[at], KEYS[tonumber(ARGV[at + 1])], unpack(ARGV, at + 3, last))
  at = last + 1
end
return 'done'
