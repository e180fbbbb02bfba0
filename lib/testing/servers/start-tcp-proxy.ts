import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Long enough that connections opened in parallel are counted as simultaneous. */
const REFUSE_AFTER_MS = 5;

/**
 * `forward` forwards bytes, `refuse` closes each new connection, `silent` accepts connections but forwards nothing, and
 * `hold` holds what the target sends.
 */
type ProxyMode = "forward" | "refuse" | "silent" | "hold";

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
  /** The bytes that `hold` holds, as text. */
  readonly held: string;
  /** Forwards the held bytes, those of one connection in one write. */
  releaseHeld(): void;
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
  const held = new Map<Socket, Buffer>();
  let mode: ProxyMode = "forward";
  let accepted = 0;
  let peak = 0;

  function isForwarded(socket: Socket): boolean {
    return mode !== "silent" && !silenced.has(socket);
  }

  function forwardReply(socket: Socket, bytes: Buffer): void {
    if (!isForwarded(socket)) return;
    if (mode === "hold") held.set(socket, Buffer.concat([held.get(socket) ?? Buffer.alloc(0), bytes]));
    else socket.write(bytes);
  }

  function releaseHeld(): void {
    for (const [socket, bytes] of held) socket.write(bytes);
    held.clear();
  }

  function forget(socket: Socket): void {
    sockets.delete(socket);
    held.delete(socket);
  }

  const server = createServer((socket) => {
    accepted++;
    sockets.add(socket);
    peak = Math.max(peak, sockets.size);
    socket.on("error", () => undefined);
    // A client that has closed its connection may open the next one before this side has closed too.
    for (const event of ["end", "close"]) socket.on(event, () => forget(socket));
    server.emit("accepted");
    if (mode === "refuse") return void setTimeout(() => socket.destroy(), REFUSE_AFTER_MS);
    const upstream = connect(Number(target.port), target.hostname);
    upstream.on("error", () => socket.destroy());
    upstream.on("close", () => socket.destroy());
    socket.on("close", () => upstream.destroy());
    socket.on("data", (bytes) => isForwarded(socket) && upstream.write(bytes));
    upstream.on("data", (bytes) => forwardReply(socket, bytes));
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
      if (mode !== "hold") releaseHeld();
    },
    get held() {
      return Buffer.concat([...held.values()]).toString("latin1");
    },
    releaseHeld,
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
