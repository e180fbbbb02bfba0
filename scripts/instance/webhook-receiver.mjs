// A partner's webhook endpoint in its own process: returns 200 and records when each event arrived. Messages from the
// parent process: "report" returns [[event id, type, received at in ms], …], "forget" clears the records, "count"
// returns their number.
import { createServer } from "node:http";

const received = [];

const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  request.resume().on("end", () => {
    received.push([request.headers["webhook-id"], request.headers["x-webhook-event"], at]);
    response.end();
  });
});
server.keepAliveTimeout = 60_000;

server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));

process.on("message", (ask) => {
  if (ask === "forget") received.length = 0;
  process.send(ask === "count" ? { count: received.length } : { received });
});
process.on("disconnect", () => process.exit(0));
