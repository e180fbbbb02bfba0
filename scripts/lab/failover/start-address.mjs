import { once } from "node:events";
import { connect, createServer } from "node:net";

/** An address that leads to the primary, as a virtual address or HAProxy does. `move` ends open connections. */
export async function startAddress(port) {
  let target = port;
  const sockets = new Set();
  const server = createServer((socket) => {
    const upstream = connect(target, "127.0.0.1");
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ]) {
      sockets.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: server.address().port,
    move(to) {
      target = to;
      cut();
    },
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
