import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import autocannon from "autocannon";
import { numbered } from "./create-tenant.mjs";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("send.lua", import.meta.url));

let series = 0;

/**
 * POSTs the target's `body` as fast as possible over `connections` keep-alive connections. Each request goes to a
 * random one of the `count` numbers in the `path` and replaces KEY with a new idempotency key. Uses wrk, or autocannon
 * if wrk is missing. Latencies are in ms.
 */
export function sendRequests(target, { wrk, connections, seconds }) {
  const prefix = `${Date.now().toString(36)}-${series++}-`;
  const options = { ...target, prefix, connections, seconds };
  return wrk === null ? sendByAutocannon(options) : sendByWrk(wrk, options);
}

async function sendByWrk(wrk, { baseUrl, path, token, count, body, prefix, connections, seconds }) {
  const options = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s", "-s", SCRIPT, baseUrl];
  const { stdout } = await run(wrk, [...options, "--", path, token, prefix, String(count), body]);
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

async function sendByAutocannon({ baseUrl, path, token, count, body, prefix, connections, seconds }) {
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
          path: numbered(path, 1 + Math.floor(Math.random() * count)),
          body: body.replace("KEY", `${prefix}${++sent}`),
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
