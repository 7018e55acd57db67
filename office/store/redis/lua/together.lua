-- Reads several things of one moment. MULTI would do, but is refused when the
-- memory is full.
-- ARGV: the commands: name, key, how many arguments, arguments.
local replies = {}
local at = 1
while at <= #ARGV do
  local last = at + 2 + tonumber(ARGV[at + 2])
  replies[#replies + 1] = redis.call(ARGV[at], KEYS[tonumber(ARGV[at + 1])], unpack(ARGV, at + 3, last))
  at = last + 1
end
return replies
