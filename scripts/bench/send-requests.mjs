import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import autocannon from "autocannon";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("send.lua", import.meta.url));

let series = 0;

/**
 * Sends messages as fast as they are answered, over `connections` kept-alive connections: each to a random chat, with
 * its own idempotency key. By wrk, or by autocannon without it. Latencies are in ms.
 */
export function sendRequests(target, { wrk, connections, seconds }) {
  const prefix = `${Date.now().toString(36)}-${series++}-`;
  const options = { ...target, prefix, connections, seconds };
  return wrk === null ? sendByAutocannon(options) : sendByWrk(wrk, options);
}

async function sendByWrk(wrk, { baseUrl, path, token, chats, prefix, connections, seconds }) {
  const options = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s", "-s", SCRIPT, baseUrl];
  const { stdout } = await run(wrk, [...options, "--", path, token, prefix, String(chats)]);
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

async function sendByAutocannon({ baseUrl, path, token, chats, prefix, connections, seconds }) {
  let sent = 0;
  const result = await autocannon({
    url: baseUrl,
    connections,
    duration: seconds,
    requests: [
      {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        setupRequest: (request) => ({
          ...request,
          path: path.replace("%012d", String(1 + Math.floor(Math.random() * chats)).padStart(12, "0")),
          body: JSON.stringify({
            message: {
              parts: [{ type: "text", value: "Your table for two at 19:30 is confirmed." }],
              idempotency_key: `${prefix}${++sent}`,
            },
          }),
        }),
      },
    ],
  });
  return {
    requests: result.requests.total,
    seconds: result.duration,
    failed: result.non2xx + result.errors,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
