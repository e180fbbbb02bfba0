import http from "node:http";
import type { AddressInfo } from "node:net";
import type { PeerBehavior } from "@/lib/adapters/transports/conformance";
import { now } from "@/lib/platform/time/clock";
import {
  createInbox,
  type FakeInbound,
  type FakeInbox,
  isDate,
} from "@/lib/testing/vendors/fake-android-inbox";
import {
  createQueue,
  type FakeQueue,
  type Fate,
  type QueuedMessage,
} from "@/lib/testing/vendors/fake-android-queue";

const SLOW_MS = 1500;

/** How the phone treats messages to a recipient: requests that are lost, and what the carrier does. */
type AndroidBehavior = PeerBehavior | Fate;

export interface FakeAndroidOptions {
  port?: number;
  /** The phone comes back with what it had. */
  earlier?: Pick<FakeAndroid, "queue" | "inbox" | "knobs">;
  password?: string;
  version?: string;
}

interface AndroidKnobs {
  /** The check of the health that fails: then it answers 500 with its report. */
  failedCheck: string | null;
  version: string;
  deviceId: string;
  /** When SMSGate was installed. A backup that is restored on another phone keeps the device's id. */
  installedAt: string;
  /** None without the permission Phone: then the messages name no SIM card. */
  simCards: { simNumber: number; phoneNumber?: string }[];
  /** Answers requests, by a part of their path, without an end. */
  floods: (path: string) => boolean;
  /** Requests whose answer is lost after they were performed, by a part of their path. */
  loses: (method: string, path: string) => boolean;
  /** Requests that are lost before they are performed. */
  drops: (method: string, path: string) => boolean;
  /** Accepts connections and answers nothing, as a phone that sleeps. */
  isAsleep: boolean;
  /** SMSGate may not read Android's messages. */
  mayReadSms: boolean;
  /** Its database refuses every new message. */
  conflicts: boolean;
  /** Whether lists say how long they are. */
  hasTotals: boolean;
}

/** A phone with SMSGate on loopback. */
export interface FakeAndroid {
  url: string;
  port: number;
  password: string;
  /** The settings of a line that uses it. */
  connection: { base_url: string; password: string; throughput: string };
  queue: FakeQueue;
  inbox: FakeInbox;
  knobs: AndroidKnobs;
  /** The requests so far, as "METHOD path". */
  requests: string[];
  behave(handle: string, behavior: AndroidBehavior): void;
  /** A person writes to the phone. Returns the id of the row. */
  write(from: string, text: string, more?: Partial<FakeInbound>): string;
  close(): Promise<void>;
}

/**
 * A phone with SMSGate in local mode: the routes, fields, statuses and error texts of capcom6/android-sms-gateway (its
 * WebService, MessagesRoutes, InboxRoutes and SettingsRoutes, up to 1.75), with its queue (fake-android-queue.ts) and
 * its inbox (fake-android-inbox.ts).
 */
export async function startFakeAndroid(options: FakeAndroidOptions = {}): Promise<FakeAndroid> {
  const password = options.password ?? "secret12";
  const queue = options.earlier?.queue ?? createQueue();
  const inbox = options.earlier?.inbox ?? createInbox();
  const behaviors = new Map<string, AndroidBehavior>();
  const knobs: AndroidKnobs = options.earlier?.knobs ?? {
    failedCheck: null,
    version: options.version ?? "1.75.0",
    deviceId: "000000006a1b2c3d000000019928a1b2",
    installedAt: "2026-01-02T03:04:05.678+02:00",
    simCards: [{ simNumber: 1 }],
    floods: () => false,
    loses: () => false,
    drops: () => false,
    isAsleep: false,
    mayReadSms: true,
    conflicts: false,
    hasTotals: true,
  };
  const requests: string[] = [];

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET" } = request;
    const url = new URL(request.url ?? "/", "http://phone");
    requests.push(`${method} ${url.pathname}${url.search}`);
    if (knobs.isAsleep) return;
    const body = parse(Buffer.concat(chunks).toString());
    const isAllowed =
      request.headers.authorization === `Basic ${Buffer.from(`sms:${password}`).toString("base64")}`;
    const behavior =
      method === "POST" && url.pathname === "/messages" ? behaviorOf(body, behaviors) : "answers";
    if (behavior === "lost_send" || knobs.drops(method, url.pathname)) return request.socket.destroy();
    const answer = isAllowed || url.pathname === "/health" ? route() : { status: 401, body: null };
    if (behavior === "lost_answer" || knobs.loses(method, url.pathname)) return request.socket.destroy();
    if (behavior === "slow_answer") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    const headers = {
      ...(answer.total !== undefined && knobs.hasTotals && { "x-total-count": String(answer.total) }),
    };
    if (knobs.floods(url.pathname)) return flood(response);
    if (answer.bytes !== undefined) return response.writeHead(200, headers).end(answer.bytes);
    response
      .writeHead(answer.status, { "content-type": "application/json", ...headers })
      .end(answer.body === null ? undefined : JSON.stringify(answer.body));

    function route(): Answer {
      if (url.pathname === "/health") return healthOf(knobs);
      if (url.pathname === "/device") {
        const { deviceId: id, installedAt: createdAt, simCards } = knobs;
        return { status: 200, body: [{ id, name: "maker/phone", createdAt, simCards }] };
      }
      if (url.pathname === "/settings") return settingsOf(method, body, queue);
      if (url.pathname.startsWith("/inbox")) return inboxOf({ method, url, body, inbox, knobs });
      if (url.pathname.startsWith("/messages")) {
        return messagesOf({ method, url, body, queue, knobs, behavior });
      }
      return { status: 404, body: null };
    }
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    password,
    connection: { base_url: `http://127.0.0.1:${port}`, password, throughput: "100" },
    queue,
    inbox,
    knobs,
    requests,
    behave: (handle, behavior) => void behaviors.set(handle, behavior),
    write: (from, text, more = {}) => inbox.receive({ from, text, ...more }),
    close() {
      queue.stop();
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Writes until the caller closes the connection. */
function flood(response: http.ServerResponse): void {
  const chunk = Buffer.alloc(256_000, "[");
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(200, { "content-type": "application/json" }).on("drain", write);
  write();
}

interface Answer {
  status: number;
  body: unknown;
  total?: number;
  bytes?: Buffer;
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function behaviorOf(body: Record<string, unknown>, behaviors: Map<string, AndroidBehavior>): AndroidBehavior {
  const [to] = Array.isArray(body.phoneNumbers) ? body.phoneNumbers : [];
  return behaviors.get(String(to)) ?? "answers";
}

const refuse = (status: number, message: string): Answer => ({ status, body: { message } });

function healthOf({ version, failedCheck }: AndroidKnobs): Answer {
  const check = (name: string) => ({
    status: failedCheck === name ? "fail" : "pass",
    observedValue: 1,
    observedUnit: "percent",
    description: name === "battery:level" ? "Battery level in percent" : name,
  });
  const names = ["messages:failed", "connection:status", "battery:level"];
  return {
    status: failedCheck === null ? 200 : 500,
    body: {
      status: failedCheck === null ? "pass" : "fail",
      version,
      releaseId: 1400,
      checks: Object.fromEntries(names.map((name) => [name, check(name)])),
    },
  };
}

function settingsOf(method: string, body: Record<string, unknown>, queue: FakeQueue): Answer {
  if (method === "PATCH") {
    const { messages } = body as { messages?: { processing_order?: string } };
    const order = messages?.processing_order;
    if (order !== "FIFO" && order !== "LIFO") return refuse(400, "Invalid request: No enum constant");
    queue.settings.order = order;
  }
  return {
    status: 200,
    body: { messages: { processing_order: queue.settings.order, log_lifetime_days: 30 } },
  };
}

interface Asked {
  method: string;
  url: URL;
  body: Record<string, unknown>;
  knobs: AndroidKnobs;
}

function inboxOf({ method, url, body, inbox, knobs }: Asked & { inbox: FakeInbox }): Answer {
  if (method === "POST" && url.pathname === "/inbox/refresh") {
    if (!isDate(body.since) || !isDate(body.until)) return refuse(400, "Invalid request body");
    if (!knobs.mayReadSms) return refuse(500, "Failed to refresh inbox: Permission Denial");
    inbox.refresh(Date.parse(body.since), Date.parse(body.until));
    return { status: 202, body: null };
  }
  const file = /^\/inbox\/([^/]+)\/attachments\/(\d+)$/.exec(url.pathname);
  if (file !== null) {
    const bytes = inbox.fileOf(decodeURIComponent(file[1] ?? ""), Number(file[2]));
    return bytes === undefined ? { status: 404, body: null } : { status: 200, body: null, bytes };
  }
  const query = Object.fromEntries(url.searchParams);
  if (query.deviceId !== undefined && query.deviceId !== knobs.deviceId)
    return refuse(400, "Invalid device ID");
  const limit = Number(query.limit ?? 50);
  if (!(limit >= 1 && limit <= 500)) return refuse(400, "limit must be between 1 and 500");
  if (query.from !== undefined && !isDate(query.from)) return refuse(400, "Invalid from datetime");
  const found = inbox.list({
    from: query.from === undefined ? 0 : Date.parse(query.from),
    to: query.to === undefined ? now().getTime() : Date.parse(query.to),
    withFiles: query.includeAttachments === "true",
    withSims: knobs.simCards.length > 0,
  });
  const offset = Number(query.offset ?? 0);
  return { status: 200, body: found.slice(offset, offset + limit), total: found.length };
}

function messagesOf({
  method,
  url,
  body,
  queue,
  knobs,
  behavior,
}: Asked & { queue: FakeQueue; behavior: AndroidBehavior }): Answer {
  const show = (message: QueuedMessage) => ({ ...queue.show(message), deviceId: knobs.deviceId });
  if (method === "POST") return postMessage({ url, body, queue, knobs, behavior }, show);
  const id = url.pathname.split("/")[2];
  if (id === undefined) {
    if (![null, knobs.deviceId].includes(url.searchParams.get("deviceId"))) {
      return refuse(400, "Invalid device ID");
    }
    const offset = Number(url.searchParams.get("offset") ?? 0);
    const all = queue.newestFirst();
    const page = all.slice(offset, offset + Number(url.searchParams.get("limit") ?? 50));
    return { status: 200, body: page.map(show), total: all.length };
  }
  const message = queue.find(id);
  if (message === undefined) return { status: 404, body: null };
  if (method === "DELETE" && !queue.cancel(message)) {
    return refuse(400, `Message ${id} is not in Pending state`);
  }
  return { status: 200, body: show(message) };
}

function postMessage(
  {
    url,
    body,
    queue,
    knobs,
    behavior,
  }: Omit<Asked, "method"> & { queue: FakeQueue; behavior: AndroidBehavior },
  show: (message: QueuedMessage) => unknown,
): Answer {
  if (behavior === "rejects") return refuse(400, "Text message is empty");
  if (behavior === "line_down") return { status: 401, body: null };
  const { id, phoneNumbers, textMessage, mmsMessage, deviceId, simNumber, ttl } =
    body as unknown as PostedMessage;
  if ((textMessage === undefined) === (mmsMessage === undefined)) {
    return refuse(400, "Must specify exactly one of: textMessage, dataMessage, or mmsMessage");
  }
  if (textMessage !== undefined && textMessage.text === "") return refuse(400, "Text message is empty");
  if (!Array.isArray(phoneNumbers) || phoneNumbers.length === 0)
    return refuse(400, "Empty phone numbers list");
  if (simNumber !== undefined && simNumber < 1) return refuse(400, "SIM number cannot be less than 1");
  if (deviceId !== undefined && deviceId !== knobs.deviceId) return refuse(400, "Invalid device ID");
  // The primary keys: of the message, and of its recipients.
  const isRepeat = queue.find(id) !== undefined || new Set(phoneNumbers).size < phoneNumbers.length;
  if (isRepeat || knobs.conflicts) {
    return refuse(409, "Message with the same ID already exists");
  }
  const message = queue.add({
    id,
    to: phoneNumbers[0] ?? "",
    text: textMessage?.text ?? mmsMessage?.text ?? "",
    files: mmsMessage?.attachments ?? [],
    isMms: mmsMessage !== undefined,
    isValidated: url.searchParams.get("skipPhoneValidation") !== "true",
    expiresAt: ttl === undefined ? null : now().getTime() + ttl * 1000,
    simNumber: simNumber ?? null,
    sims: knobs.simCards.map((sim) => sim.simNumber),
    fate: typeof behavior === "object" ? behavior : {},
  });
  return { status: 202, body: show(message) };
}

interface PostedMessage {
  id: string;
  phoneNumbers?: string[];
  textMessage?: { text: string };
  mmsMessage?: { text?: string; attachments: { contentType: string; data: string; name?: string }[] };
  deviceId?: string;
  simNumber?: number;
  ttl?: number;
}
