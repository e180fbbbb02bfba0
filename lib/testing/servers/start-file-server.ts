import http from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a file server on 127.0.0.1. Returns 404 for every other path. */
export async function startFileServer(files: Readonly<Record<string, Buffer>>) {
  const server = http.createServer((request, response) => {
    const file = files[request.url ?? ""];
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-length": file.length }).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
