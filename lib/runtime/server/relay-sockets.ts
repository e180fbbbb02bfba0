import "server-only";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { requireScope } from "@/lib/identity/tokens/require-scope";
import { ApiError } from "@/lib/platform/errors/errors";
import { drainSignal, isDraining } from "@/lib/platform/instances/drain";
import { requireRight } from "@/lib/platform/rights/role-rights";
import { log } from "@/lib/platform/telemetry/log";
import { callerOf } from "@/lib/runtime/http/authenticate";
import type { WebSocketRoute } from "@/lib/runtime/server/http-server";
import { admitToken } from "@/lib/runtime/streams/token-stream-guard";
import { registerRelay } from "@/lib/webhooks/targets/relay-webhook";

/** The longest message from a program is `{"action": "init"}`. */
const MAX_MESSAGE_BYTES = 4096;
const MAX_MESSAGES = 100;
/** When more than this is unread by the program, webhooks are rejected and retried later. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** Time that the program has to respond to the close handshake. */
const CLOSING_MS = 2000;

const CLOSE = { restarting: 1001, notUnderstood: 1008, unavailable: 1011, later: 1013, badToken: 4001 };

export interface RelayOptions {
  /** Interval between pings. A connection must respond within it. */
  pingMs?: number;
  /** Time that a program has to send `init`. */
  initMs?: number;
}

/**
 * The relay for the vendor's command line (docs/contract.md, section 16.2): a WebSocket at /relay with `?token=`. The
 * program receives its connectionId, then every webhook posted to /relay/{connectionId}. The connection is closed when
 * its token is revoked (4001), when it does not answer a ping, and when this process stops (1001). Connections count as
 * event streams of the account (STREAMS_PER_ACCOUNT).
 */
export function relaySockets({ pingMs = 30_000, initMs = 10_000 }: RelayOptions = {}): WebSocketRoute {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  return {
    matches: (path) => path === "/relay",
    isOnlyUpgraded: true,
    handle: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, (webSocket) => {
        serve(webSocket, request, { pingMs, initMs });
      }),
  };
}

function serve(webSocket: WebSocket, request: IncomingMessage, times: Required<RelayOptions>): void {
  const over = new AbortController();
  webSocket.once("close", () => over.abort());
  // The library closes the connection after a message that is malformed or too long.
  webSocket.on("error", (error) => log.debug({ err: error }, "a relay connection failed"));
  if (isDraining()) {
    close(webSocket, CLOSE.restarting, "restarting");
    return;
  }
  drainSignal().addEventListener("abort", () => close(webSocket, CLOSE.restarting, "restarting"), {
    signal: over.signal,
  });
  keepAlive(webSocket, times.pingMs, over.signal);
  const late = setTimeout(
    () => close(webSocket, CLOSE.notUnderstood, "no init message in time"),
    times.initMs,
  );
  over.signal.addEventListener("abort", () => clearTimeout(late));

  const admitted = admit(webSocket, request, over.signal);
  let messages = 0;
  webSocket.on("message", async (data) => {
    if (++messages > MAX_MESSAGES) return close(webSocket, CLOSE.notUnderstood, "too many messages");
    if (!isInit(data)) return close(webSocket, CLOSE.notUnderstood, 'send {"action": "init"}');
    clearTimeout(late);
    const connectionId = await admitted;
    if (connectionId !== null) webSocket.send(JSON.stringify({ connectionId }));
  });
}

/** Resolves to the connection's id, or to null when the connection was rejected. */
async function admit(
  webSocket: WebSocket,
  request: IncomingMessage,
  over: AbortSignal,
): Promise<string | null> {
  try {
    const caller = await callerOf(tokenOf(request), "connect to /relay?token=<token>", () => {});
    requireScope(caller, { tag: "Webhooks" }, "GET");
    requireRight(caller, "view_webhooks");
    if (over.aborted) return null;
    const leave = admitToken(caller, (why) => close(webSocket, closeCode(why), why.message));
    const connectionId = randomUUID();
    const stop = registerRelay({ accountId: caller.account.id, connectionId }, (body) =>
      pass(webSocket, body),
    );
    over.addEventListener("abort", () => {
      stop();
      leave();
    });
    return connectionId;
  } catch (error) {
    if (!(error instanceof ApiError)) log.error({ err: error }, "a relay connection was rejected");
    close(webSocket, closeCode(error), error instanceof ApiError ? error.message : "try again later");
    return null;
  }
}

function pass(webSocket: WebSocket, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (webSocket.bufferedAmount > MAX_UNREAD_BYTES) return reject(new Error("the client does not read"));
    webSocket.send(body, (error) => (error ? reject(error) : resolve()));
  });
}

function keepAlive(webSocket: WebSocket, pingMs: number, over: AbortSignal): void {
  let answered = true;
  webSocket.on("pong", () => {
    answered = true;
  });
  const timer = setInterval(() => {
    if (!answered) return webSocket.terminate();
    answered = false;
    webSocket.ping();
  }, pingMs).unref();
  over.addEventListener("abort", () => clearInterval(timer));
}

function close(webSocket: WebSocket, code: number, reason: string): void {
  // A close frame has space for a reason of at most 123 bytes.
  webSocket.close(code, reason.slice(0, 100).replace(/[^\x20-\x7e]/g, "?"));
  setTimeout(() => webSocket.terminate(), CLOSING_MS).unref();
}

function closeCode(error: unknown): number {
  if (!(error instanceof ApiError)) return CLOSE.unavailable;
  return error.errorName === "rate_limited" ? CLOSE.later : CLOSE.badToken;
}

function tokenOf({ url = "/", headers }: IncomingMessage): string | null {
  const inQuery = new URLSearchParams(url.split("?", 2)[1]).get("token");
  return inQuery ?? /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1] ?? null;
}

function isInit(data: RawData): boolean {
  try {
    return JSON.parse(String(data))?.action === "init";
  } catch {
    return false;
  }
}
