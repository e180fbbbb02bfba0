// A webhook endpoint in its own process that responds slowly, sometimes fails, and records when each request arrived
// and when its response was sent. The parent process sets the pace with { leastMs, mostMs, failing } (a share), or
// holds all responses with { hold: true } until { hold: false }. "report" returns [[event id, begun, answered or null,
// status], …]; "open" returns the number of requests that wait for a response and the number of responses by status.
// With { keep: false } requests are only counted, for runs with millions of them.
import { createServer } from "node:http";

const requests = [];
const held = new Set();
const answers = {};
let pace = { leastMs: 0, mostMs: 0, failing: 0, hold: false, keep: true };
let open = 0;

const server = createServer((request, response) => {
  const noted = [request.headers["webhook-id"], now(), null, null];
  if (pace.keep) requests.push(noted);
  open++;
  response.on("finish", () => {
    noted[2] = now();
    noted[3] = response.statusCode;
    answers[response.statusCode] = (answers[response.statusCode] ?? 0) + 1;
  });
  response.on("close", () => {
    open--;
  });
  request.resume().on("end", () => {
    const answer = () => response.writeHead(Math.random() < pace.failing ? 503 : 200).end();
    if (pace.hold) held.add(answer);
    else setTimeout(answer, pace.leastMs + Math.random() * (pace.mostMs - pace.leastMs));
  });
});
server.keepAliveTimeout = 60_000;

server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));

process.on("message", (asked) => {
  if (typeof asked === "object") setPace(asked);
  process.send(asked === "report" ? { requests } : { open, answers });
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
