import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ApiClient } from "@/lib/testkit/api-client";
import type { BodyOf, EventOf, EventType } from "@/lib/testkit/api-operations";
import { Inbox, type InboxMemory } from "@/lib/testkit/inbox";
import { describeMatch, matchesText, type TextMatch } from "@/lib/testkit/match-text";
import { isSignedWith } from "@/lib/testkit/verify-signature";

/** One webhook request that arrived. */
export interface ReceivedWebhook<Type extends EventType = EventType> {
  event: EventOf<Type>;
  /** The exact body, as signed. */
  body: string;
  headers: Readonly<Record<string, string | undefined>>;
  /** Whether the signature is valid. Always `true`: a request with an invalid signature gets 401 and is not kept. */
  isVerified: true;
  /** The status that the receiver responded with. */
  answered: number;
}

/** Which webhook to wait for, besides its type. */
export interface WebhookMatch<Type extends EventType = EventType> {
  /** Text that the body contains, or a pattern that the body matches. */
  body?: string | RegExp;
  /** Further conditions. */
  where?: (event: EventOf<Type>) => boolean;
  /** Milliseconds to wait. */
  timeoutMs?: number;
}

/** When turns close. */
export type TurnSettings = NonNullable<BodyOf<"POST /v3/webhook-subscriptions">["turns"]>;

/** Returns the status to respond with. */
export type Responder = (webhook: { type: EventType; attempt: number }) => number;

const VERSION = "2026-02-03";
const MAX_COUNTED_EVENTS = 10_000;

/** A webhook endpoint in this process: a subscription of the account to every event type but turns, whose signatures are checked. */
export class WebhookReceiver {
  /** The ID of the subscription. */
  subscriptionId = "";

  private secret = "";
  private types: EventType[] = [];
  private respond: Responder = () => 200;
  private readonly attempts = new Map<string, number>();
  private readonly inbox = new Inbox<ReceivedWebhook>(
    ({ event, answered }) => `${event.event_type} (answered ${answered})`,
  );

  private constructor(
    private readonly server: Server,
    private readonly timeoutMs: number,
  ) {}

  /** Listens on a free loopback port and subscribes. Throws ApiCallError if webhooks can't reach this machine. */
  static async open(api: ApiClient, timeoutMs: number): Promise<WebhookReceiver> {
    const server = createServer((request, response) => void receiver.receive(request, response));
    const receiver = new WebhookReceiver(server, timeoutMs);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    try {
      const { catalog } = await api.call("GET /v3/webhook-events");
      receiver.types = catalog
        .filter(({ opt_in }) => opt_in !== true)
        .map(({ event_type }) => event_type as EventType);
      const created = await api.call("POST /v3/webhook-subscriptions", {
        body: {
          target_url: `http://127.0.0.1:${port}/?version=${VERSION}`,
          subscribed_events: receiver.types,
        },
      });
      receiver.subscriptionId = created.id;
      receiver.secret = created.signing_secret;
      return receiver;
    } catch (error) {
      await receiver.close();
      throw error;
    }
  }

  /** All webhooks that arrived, in order of arrival, including repeated attempts. */
  get all(): readonly ReceivedWebhook[] {
    return this.inbox.all;
  }

  /**
   * Resolves with the next webhook of a type that matches. Each webhook resolves one wait, and only webhooks that were
   * answered with 2xx count. Throws WaitTimeoutError.
   */
  async next<Type extends EventType>(type: Type, match: WebhookMatch<Type> = {}): Promise<EventOf<Type>> {
    const { body, where = () => true, timeoutMs = this.timeoutMs } = match;
    const found = await this.inbox.next({
      matches: (webhook) =>
        isOk(webhook.answered) && matches(webhook, type, body) && where(webhook.event as EventOf<Type>),
      expected: `webhook ${type}${describeMatch(body)}`,
      timeoutMs,
    });
    return found.event as EventOf<Type>;
  }

  /** Resolves with the next attempt of a type, whatever the receiver responded. Throws WaitTimeoutError. */
  async nextAttempt(type: EventType, { timeoutMs = this.timeoutMs } = {}): Promise<ReceivedWebhook> {
    return this.inbox.next({
      matches: (webhook) => matches(webhook, type, undefined),
      expected: `attempt to deliver ${type}`,
      timeoutMs,
    });
  }

  /** Adds chat.turn to the subscription, with settings that replace the earlier ones. Throws ApiCallError. */
  async collectTurns(api: ApiClient, turns: TurnSettings): Promise<void> {
    await api.call("PUT /v3/webhook-subscriptions/{subscriptionId}", {
      path: { subscriptionId: this.subscriptionId },
      body: { subscribed_events: [...this.types, "chat.turn"], turns },
    });
  }

  /** Responds to further webhooks with a status, or with the status that a function returns for each attempt. */
  respondWith(status: number | Responder): void {
    this.respond = typeof status === "number" ? () => status : status;
  }

  /** Uses another signing secret, after a rotation. */
  useSecret(secret: string): void {
    this.secret = secret;
  }

  /** The webhooks that arrived so far, which a snapshot of the simulator contains. */
  capture(): InboxMemory<ReceivedWebhook> {
    return this.inbox.capture();
  }

  /** Forgets the webhooks that arrived after a snapshot; without one, all of them. */
  rewind(memory?: InboxMemory<ReceivedWebhook>): void {
    this.inbox.rewind(memory);
  }

  /** Stops listening. The subscription stays. */
  async close(): Promise<void> {
    const closed = once(this.server, "close");
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const headers = request.headers as Record<string, string | undefined>;
    if (!isSignedWith(this.secret, { headers, body })) return void response.writeHead(401).end();
    const event = JSON.parse(body) as EventOf<EventType>;
    const answered = this.respond({ type: event.event_type, attempt: this.countAttempt(event.event_id) });
    response.writeHead(answered).end();
    this.inbox.add({ event, body, headers, isVerified: true, answered });
  }

  private countAttempt(eventId: string): number {
    const attempt = (this.attempts.get(eventId) ?? 0) + 1;
    if (this.attempts.size >= MAX_COUNTED_EVENTS) this.attempts.clear();
    this.attempts.set(eventId, attempt);
    return attempt;
  }
}

function matches(webhook: ReceivedWebhook, type: EventType, body: TextMatch): boolean {
  return webhook.event.event_type === type && matchesText(body, webhook.body);
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
