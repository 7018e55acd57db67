-- Voids the commits of an attempt that have not come yet, and tells where the
-- record stands. The same again changes nothing.
-- KEYS: head. ARGV: fence, nonce, the attempt, the next one.
local head = redis.call('HMGET', KEYS[1], 'fence', 'nonce', 'n', 'id', 'attempt')
if head[1] == ARGV[1] and head[2] == ARGV[2] and head[5] == ARGV[3] then
  redis.call('HSET', KEYS[1], 'attempt', ARGV[4])
end
return head
