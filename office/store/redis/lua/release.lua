-- Ends a current lease.
-- KEYS: head, lease. ARGV: fence, nonce.
local head = redis.call('HMGET', KEYS[1], 'fence', 'nonce')
if ARGV[2] == '' or head[1] ~= ARGV[1] or head[2] ~= ARGV[2] then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'nonce', '')
redis.call('DEL', KEYS[2])
return 'done'
