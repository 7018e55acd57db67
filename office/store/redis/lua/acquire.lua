-- Takes the lease if nobody holds it, and raises the fence. The same nonce
-- again is the same acquisition.
-- KEYS: head, lease. ARGV: nonce, holder, time to live in ms, format.
-- Returns the fence and nothing, or 0 and the holder.
local held = redis.call('GET', KEYS[2])
if held and held ~= ARGV[1] then
  return {'0', redis.call('HGET', KEYS[1], 'holder') or ''}
end
if not held then
  redis.call('HINCRBY', KEYS[1], 'fence', 1)
  redis.call('HSET', KEYS[1], 'nonce', ARGV[1], 'holder', ARGV[2], 'attempt', '0', 'format', ARGV[4])
  redis.call('HSETNX', KEYS[1], 'n', '0')
  redis.call('HSETNX', KEYS[1], 'id', '')
end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
return {redis.call('HGET', KEYS[1], 'fence'), ''}
