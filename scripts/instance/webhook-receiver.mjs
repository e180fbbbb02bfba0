// A partner's webhook endpoint in a process of its own: answers 200 and remembers which event came when. Its parent asks
// by message: "report" answers [[event id, type, received at in ms], …], "forget" starts anew, "count" says how many.
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
