// An OTLP/HTTP collector for tests, as its own process: prints its port, then the body of each request, one per line.
import { createServer } from "node:http";

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const isTraces = request.method === "POST" && request.url === "/v1/traces";
    if (!isTraces || request.headers["content-type"] !== "application/json") {
      response.writeHead(isTraces ? 415 : 404).end();
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    process.stdout.write(`${JSON.stringify({ headers: request.headers, body })}\n`);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
