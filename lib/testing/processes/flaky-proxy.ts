import http from "node:http";
import type { AddressInfo } from "node:net";
import type { PeerBehavior } from "@/lib/adapters/transports/conformance";

const SLOW_MS = 1500;

/** A send that the peer accepted. */
interface AcceptedSend {
  to: string;
  key: string;
  /** The peer's ID of the message. */
  messageId: string;
}

/**
 * A proxy in front of another Trunkline that loses and delays sends by their recipient, as a bad network does. Other
 * requests pass unchanged.
 */
export async function startFlakyProxy(targetUrl: string) {
  const target = new URL(targetUrl);
  const behaviors = new Map<string, PeerBehavior>();
  const accepted: AcceptedSend[] = [];
  const inProgress = new Set<Promise<unknown>>();
  let isDown = false;
  let lostLookups = 0;

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const send = readSend(request, body);
    const behavior = send === null ? undefined : behaviors.get(send.to);
    if (isDown || behavior === "lost_send") return request.socket.destroy();
    if (request.method === "GET" && request.url?.startsWith("/v3/messages?") === true && lostLookups > 0) {
      lostLookups--;
      return request.socket.destroy();
    }
    // A lookup by key must find a send that is still in progress.
    if (request.method === "GET") await Promise.all(inProgress);
    const headers = { ...request.headers, host: target.host };
    if (behavior === "line_down") headers.authorization = "Bearer tl_sandbox_wrong";
    const forwarding = forward({ request, response }, headers, body);
    if (send !== null) inProgress.add(forwarding);
    const answer = await forwarding.catch(() => null);
    inProgress.delete(forwarding);
    if (answer === null) return request.socket.destroy();
    const messageId = send === null ? null : readMessageId(await answer.text());
    if (send !== null && messageId !== null) accepted.push({ ...send, messageId });
    if (behavior === "lost_answer") return request.socket.destroy();
    if (behavior === "slow_answer") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    response.writeHead(answer.status, answer.headers);
    if (send === null) answer.stream.pipe(response);
    else response.end(await answer.text());
  });
  server.on("clientError", (_, socket) => socket.destroy());

  function forward({ request, response }: Exchange, headers: http.OutgoingHttpHeaders, body: Buffer) {
    return new Promise<Answer>((resolve, reject) => {
      const options = { host: target.hostname, port: target.port, method: request.method, path: request.url };
      const outgoing = http.request({ ...options, headers }, (incoming) => resolve(toAnswer(incoming)));
      // A stream ends with its reader. A send goes on without one.
      if (request.method === "GET") response.once("close", () => outgoing.destroy());
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted,
    behave: (handle: string, behavior: PeerBehavior) => void behaviors.set(handle, behavior),
    /** The next lookups by key get no response. */
    loseLookups(count: number) {
      lostLookups = count;
    },
    /** Closes every connection until it is called with false. */
    setDown(next: boolean) {
      isDown = next;
      if (next) server.closeAllConnections();
    },
    close() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Exchange {
  request: http.IncomingMessage;
  response: http.ServerResponse;
}

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  stream: http.IncomingMessage;
  /** Reads the body once. */
  text(): Promise<string>;
}

function toAnswer(stream: http.IncomingMessage): Answer {
  let reading: Promise<string> | null = null;
  const read = async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString("utf8");
  };
  return {
    status: stream.statusCode ?? 502,
    headers: stream.headers,
    stream,
    text() {
      reading ??= read();
      return reading;
    },
  };
}

interface SendBody {
  to?: string[];
  message?: { idempotency_key?: string };
}

function readSend({ method, url }: http.IncomingMessage, body: Buffer): { to: string; key: string } | null {
  if (method !== "POST" || url !== "/v3/chats") return null;
  const { to = [], message } = JSON.parse(body.toString("utf8")) as SendBody;
  return { to: to[0] ?? "", key: message?.idempotency_key ?? "" };
}

function readMessageId(text: string): string | null {
  const body = JSON.parse(text === "" ? "{}" : text) as { chat?: { message?: { id: string } } };
  return body.chat?.message?.id ?? null;
}
