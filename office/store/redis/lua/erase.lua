-- Deletes keys if the lease is current.
-- KEYS: head, then those to delete. ARGV: fence, nonce.
-- Returns how many there were, or -1.
local head = redis.call('HMGET', KEYS[1], 'fence', 'nonce')
if ARGV[2] == '' or head[1] ~= ARGV[1] or head[2] ~= ARGV[2] then
  return -1
end
local n = 0
for i = 2, #KEYS do
  n = n + redis.call('UNLINK', KEYS[i])
end
return n
