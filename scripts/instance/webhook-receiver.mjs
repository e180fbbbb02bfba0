// A partner's webhook endpoint in its own process. It records when each event arrived, once its body has arrived
// whole, and when its response was sent, and
// responds immediately with 200 unless the parent process sets a pace: { leastMs, mostMs, failing } (a share), or
// { hold: true } until { hold: false }. With { keep: false } requests are only counted, for runs with millions of them.
// "report" returns [[event id, type, received at, responded at or null, status or null], …], "forget" also clears them,
// "count" returns the numbers of requests, of those that wait for a response, and of responses by status.
import { createServer } from "node:http";

const held = new Set();
let received = [];
let answers = {};
let pace = { leastMs: 0, mostMs: 0, failing: 0, hold: false, keep: true };
let count = 0;
let open = 0;

const server = createServer((request, response) => {
  const { headers } = request;
  const noted = [headers["webhook-id"], headers["x-webhook-event"], now(), null, null];
  open++;
  response.on("finish", () => {
    noted[3] = now();
    noted[4] = response.statusCode;
    answers[response.statusCode] = (answers[response.statusCode] ?? 0) + 1;
  });
  response.on("close", () => {
    open--;
  });
  request.resume().on("end", () => {
    // A request that breaks off was not received.
    if (pace.keep) received.push(noted);
    count++;
    const answer = () => {
      response.statusCode = Math.random() < pace.failing ? 503 : 200;
      response.end();
    };
    if (pace.hold) held.add(answer);
    else if (pace.mostMs > 0) setTimeout(answer, pace.leastMs + Math.random() * (pace.mostMs - pace.leastMs));
    else answer();
  });
});
server.keepAliveTimeout = 60_000;

server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));

process.on("message", (asked) => {
  if (typeof asked === "object") setPace(asked);
  process.send(asked === "report" || asked === "forget" ? { received } : { count, open, answers });
  if (asked === "forget") [received, count, answers] = [[], 0, {}];
});
process.on("disconnect", () => process.exit(0));

function setPace(next) {
  pace = { ...pace, ...next };
  if (pace.hold) return;
  for (const answer of held) answer();
  held.clear();
}

function now() {
  return performance.timeOrigin + performance.now();
}
