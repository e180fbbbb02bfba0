// A minimal Node file server for comparison: PUT stores the body durably in a file, GET streams the file back.
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { pipeline } from "node:stream/promises";

const file = process.env.BARE_FILE;

const server = createServer(async (request, response) => {
  if (request.method === "PUT") {
    await pipeline(request, createWriteStream(file, { flush: true }));
    return response.end();
  }
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  response.writeHead(200, { "content-length": size });
  if (size === 0) return response.end();
  await pipeline(createReadStream(file), response);
});
server.listen(Number(process.env.PORT), "127.0.0.1");
