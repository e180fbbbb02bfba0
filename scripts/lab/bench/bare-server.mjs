// A minimal Node server for comparison: reads the whole request and returns BARE_ANSWER, the bytes of a response to a
// send.
import { createServer } from "node:http";

const { status, headers, body } = JSON.parse(process.env.BARE_ANSWER);

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(status, headers);
    response.end(body);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), "127.0.0.1");
