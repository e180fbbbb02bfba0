-- wrk: POSTs to random chats or phones, each request with its own key.
-- Arguments: path with a %d for the number, token, prefix of the keys, how many there are, body with KEY where it stands.
local path, prefix, count, headers, before, after
local sent = 0

function init(args)
  path, prefix, count = args[1], args[3], tonumber(args[4])
  headers = { ["content-type"] = "application/json", authorization = "Bearer " .. args[2] }
  before, after = args[5]:match("^(.*)KEY(.*)$")
  math.randomseed(os.time())
end

function request()
  sent = sent + 1
  return wrk.format("POST", path:format(math.random(count)), headers, before .. prefix .. sent .. after)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"failed":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
