import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Long enough that connections opened in parallel are counted as simultaneous. */
const REFUSE_AFTER_MS = 5;

/** `forward` forwards bytes, `refuse` closes each new connection, `silent` accepts connections but forwards nothing. */
type ProxyMode = "forward" | "refuse" | "silent";

export interface TcpProxy {
  /** The target's URL with the proxy's host and port. */
  url: string;
  /** Connections accepted so far. */
  readonly accepted: number;
  readonly open: number;
  /** The highest number of connections that were open at the same time since the last `resetPeak`. */
  readonly peak: number;
  resetPeak(): void;
  setMode(mode: ProxyMode): void;
  /** Stops forwarding on open connections, like a firewall that lost its state. New connections work. */
  silenceOpen(): void;
  /** Closes every open connection. */
  cut(): void;
  /** Resolves once `count` more connections were accepted. */
  untilAccepted(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A TCP proxy in front of a database or another server: a network that a test can cut, close or silence. */
export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const silenced = new WeakSet<Socket>();
  let mode: ProxyMode = "forward";
  let accepted = 0;
  let peak = 0;

  function isForwarded(socket: Socket): boolean {
    return mode !== "silent" && !silenced.has(socket);
  }

  const server = createServer((socket) => {
    accepted++;
    sockets.add(socket);
    peak = Math.max(peak, sockets.size);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    server.emit("accepted");
    if (mode === "refuse") return void setTimeout(() => socket.destroy(), REFUSE_AFTER_MS);
    const upstream = connect(Number(target.port), target.hostname);
    upstream.on("error", () => socket.destroy());
    upstream.on("close", () => socket.destroy());
    socket.on("close", () => upstream.destroy());
    socket.on("data", (bytes) => isForwarded(socket) && upstream.write(bytes));
    upstream.on("data", (bytes) => isForwarded(socket) && socket.write(bytes));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const url = new URL(targetUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    get accepted() {
      return accepted;
    },
    get open() {
      return sockets.size;
    },
    get peak() {
      return peak;
    },
    resetPeak() {
      peak = sockets.size;
    },
    setMode(next) {
      mode = next;
    },
    silenceOpen() {
      for (const socket of sockets) silenced.add(socket);
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async untilAccepted(count) {
      const goal = accepted + count;
      while (accepted < goal) await once(server, "accepted");
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
