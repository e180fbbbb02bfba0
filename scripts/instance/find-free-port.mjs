import { createServer } from "node:net";

// Below the ephemeral port range, so that the port is still free when a server restarts.
const FIRST = 20_000;
const COUNT = 10_000;

/** Returns a free loopback port. */
export async function findFreePort() {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
