-- wrk: POSTs to random chats, each request with its own idempotency key.
-- Arguments: path with %012d for the chat's number, token, prefix of the keys, number of chats.
local path, prefix, chats, headers
local sent = 0

function init(args)
  path, prefix, chats = args[1], args[3], tonumber(args[4])
  headers = { ["content-type"] = "application/json", authorization = "Bearer " .. args[2] }
  math.randomseed(os.time())
end

function request()
  sent = sent + 1
  local body = '{"message":{"parts":[{"type":"text","value":"Your table for two at 19:30 is confirmed."}],"idempotency_key":"'
    .. prefix .. sent .. '"}}'
  return wrk.format("POST", path:format(math.random(chats)), headers, body)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"failed":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
