import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { parseJson } from "@/scripts/cli/api-client";
import { CliError } from "@/scripts/cli/cli-error";

const MAX_BYTES = 1024 * 1024;
const MAX_KEPT = 5000;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** One attempt of a delivery, as it arrived. */
export interface Attempt {
  /** The path that the subscription of this attempt has. */
  path: string;
  method: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
  event: WebhookEvent;
  /** In milliseconds since 1970. */
  receivedAt: number;
}

/** The envelope of an event, as far as the body has one. */
interface WebhookEvent {
  event_type?: string;
  event_id?: string;
  trace_id?: string;
  created_at?: string;
  webhook_version?: string;
  sequence?: number;
  data?: unknown;
}

/** The server of a run that receives webhooks. */
export class WebhookReceiver {
  readonly attempts: Attempt[] = [];
  /** The status for an attempt. Replaced by checks of retries. */
  answer: (attempt: Attempt) => number = () => 200;
  private keptBytes = 0;

  private constructor(private readonly server: Server) {}

  /** Listens on `host:port` or a port. Errors: notRun (the address is not valid or in use). */
  static async listen(address: string): Promise<WebhookReceiver> {
    const [, host = "127.0.0.1", port = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(address) ?? [];
    if (port === "") throw new CliError("notRun", `${address} is not a host and port, such as 0.0.0.0:8080.`);
    const server = createServer((request, response) => void receiver.receive(request, response));
    const receiver = new WebhookReceiver(server);
    try {
      server.listen(Number(port), host.replace(/^\[(.*)\]$/, "$1"));
      await once(server, "listening");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CliError("notRun", `Can't listen on ${address}: ${reason}`);
    }
    return receiver;
  }

  /** Where it listens. */
  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === "string") return "";
    const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, "close");
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request).catch(() => null);
    if (body === null) return void response.writeHead(413).end();
    const attempt = {
      path: request.url ?? "",
      method: request.method ?? "",
      headers: request.headers as Attempt["headers"],
      body,
      event: parse(body),
      receivedAt: Date.now(),
    };
    this.keptBytes += body.length;
    if (this.attempts.length < MAX_KEPT && this.keptBytes < MAX_KEPT_BYTES) this.attempts.push(attempt);
    response.writeHead(this.answer(attempt)).end();
  }
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(body: string): WebhookEvent {
  const value = parseJson(body);
  return typeof value === "object" && value !== null ? value : {};
}

/** Where a run can be reached. */
export interface Reachable {
  receiver: WebhookReceiver;
  /** The URL of the receiver, as the server under test reaches it. */
  url: string;
}
