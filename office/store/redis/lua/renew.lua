-- Gives a current lease its whole time again, also if it ran out and nobody
-- has taken it since.
-- KEYS: head, lease. ARGV: fence, nonce, time to live in ms.
local head = redis.call('HMGET', KEYS[1], 'fence', 'nonce')
if ARGV[2] == '' or head[1] ~= ARGV[1] or head[2] ~= ARGV[2] then
  return 'fenced'
end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 'done'
