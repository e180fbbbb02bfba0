import { type AddressInfo, createServer } from "node:net";

interface EndingServer {
  url: string;
  /** Resolves when the last byte and the end of the connection are on their way. */
  ended: Promise<void>;
  close(): Promise<void>;
}

/** Starts a server that sends `sent` bytes of a body of `declared` bytes and then closes the connection at once. */
export async function startEndingServer(declared: number, sent: number): Promise<EndingServer> {
  const ended = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${declared}\r\nConnection: close\r\n\r\n`);
      socket.end(Buffer.alloc(sent, "a"), () => ended.resolve());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/file`,
    ended: ended.promise,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
