import { createHmac, randomBytes } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { VendorRequest } from "@/lib/adapters/transports/callback";
import type { PeerBehavior } from "@/lib/adapters/transports/conformance";

const DOCS = "https://www.twilio.com/docs";
const SLOW_MS = 1500;
const AGAIN_MS = 30;
const MAX_BODY = 1600;
const MAX_FILES = 10;

/** How Twilio treats a recipient. The codes are Twilio's error codes. */
export type TwilioBehavior =
  | PeerBehavior
  | { createCode: number; status?: number; retryAfter?: string }
  /** An answer that is not Twilio's: of a proxy, or of the wrong host. */
  | { foreignStatus: number }
  | { failCode: number };

export interface FakeTwilioOptions {
  port?: number;
  accountSid: string;
  authToken: string;
  /** The sender of RCS messages. Recipients without RCS get SMS. */
  rcsSender?: string;
}

/** A created message. */
export interface FakeTwilioMessage {
  sid: string;
  to: string;
  from: string;
  body: string;
  media: { contentType: string; bytes: Buffer }[];
  callback: string;
}

/**
 * A Twilio on loopback that refuses what Twilio refuses, each rule with its page. It sends status callbacks and inbound
 * webhooks with Twilio's signature, and repeats them until they are stored, as a Messaging Service with retries does.
 */
export async function startFakeTwilio(options: FakeTwilioOptions) {
  const { accountSid, authToken } = options;
  const behaviors = new Map<string, TwilioBehavior>();
  const withRcs = new Set<string>();
  const messages: FakeTwilioMessage[] = [];
  const files = new Map<string, { contentType: string; bytes: Buffer }>();
  const optedOut = new Set<string>();
  const pending: VendorRequest[] = [];
  let post: ((request: VendorRequest) => Promise<boolean>) | null = null;
  let isSuspended = false;
  let isPosting = false;
  let unauthorized = 0;

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = (status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}) =>
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(body));
    // https://www.twilio.com/docs/api/errors/20003
    const refuse = (status: number, code: number, message: string, headers: http.OutgoingHttpHeaders = {}) =>
      answer(status, { code, message, status, more_info: `${DOCS}/errors/${code}` }, headers);
    const { pathname } = new URL(request.url ?? "/", "http://twilio");
    const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`;
    if (request.headers.authorization !== expected || isSuspended) {
      unauthorized++;
      return refuse(401, 20003, "Authenticate");
    }
    const root = `/2010-04-01/Accounts/${accountSid}`;
    if (pathname === `${root}.json`) return answer(200, { sid: accountSid, status: "active" });
    // https://www.twilio.com/docs/messaging/api/media-resource: media needs authentication and is served by redirect.
    if (pathname.includes("/Media/")) {
      return response
        .writeHead(307, { location: `${storageUrl}/storage/${pathname.split("/").at(-1)}` })
        .end();
    }
    if (request.method !== "POST" || pathname !== `${root}/Messages.json`)
      return refuse(404, 20404, "not found");
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const value = (name: string) => form.get(name) ?? undefined;
    const to = value("To") ?? "";
    const media = form.getAll("MediaUrl");
    const callback = value("StatusCallback");

    // https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource: required parameters.
    if (to === "") return refuse(400, 21604, "A 'To' phone number is required.");
    if (value("From") === undefined && value("MessagingServiceSid") === undefined) {
      return refuse(400, 21603, "A 'From' or 'MessagingServiceSid' is required.");
    }
    if (value("Body") === undefined && media.length === 0) {
      return refuse(400, 21602, "Message body is required.");
    }
    // https://www.twilio.com/docs/api/errors/21211
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return refuse(400, 21211, `Invalid 'To' Phone Number: ${to}`);
    // https://www.twilio.com/docs/api/errors/21617
    if ((value("Body")?.length ?? 0) > MAX_BODY)
      return refuse(400, 21617, "The body exceeds 1600 characters.");
    // https://www.twilio.com/docs/api/errors/21623
    if (media.length > MAX_FILES) return refuse(400, 21623, "Number of media files exceeds the limit.");
    // https://www.twilio.com/docs/api/errors/21609
    if (callback === undefined || !URL.canParse(callback))
      return refuse(400, 21609, "Invalid StatusCallback.");
    // https://www.twilio.com/docs/api/errors/21610
    if (optedOut.has(to)) return refuse(400, 21610, "Attempt to send to unsubscribed recipient");

    const behavior = behaviors.get(to) ?? "answers";
    if (behavior === "rejects") return refuse(400, 21614, "'To' number is not a valid mobile number");
    if (behavior === "line_down") return refuse(401, 20003, "Authenticate");
    if (behavior === "lost_send") return request.socket.destroy();
    if (typeof behavior === "object" && "createCode" in behavior) {
      const { createCode, retryAfter, status = createCode === 20429 ? 429 : 400 } = behavior;
      const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
      return refuse(status, createCode, "refused", headers);
    }
    if (typeof behavior === "object" && "foreignStatus" in behavior) {
      return response.writeHead(behavior.foreignStatus, { location: "/elsewhere" }).end("<html>");
    }
    // https://www.twilio.com/docs/api/errors/12300: Twilio downloads the files.
    const downloaded = await Promise.all(media.map(download)).catch(() => null);
    if (downloaded === null) return refuse(400, 21620, "Invalid media URL(s)");
    const hasRcs = options.rcsSender !== undefined && withRcs.has(to);
    const message: FakeTwilioMessage = {
      sid: `SM${randomBytes(16).toString("hex")}`,
      to,
      from: hasRcs ? `rcs:${options.rcsSender}` : (value("FallbackFrom") ?? value("From") ?? "+12025550199"),
      body: value("Body") ?? "",
      media: downloaded,
      callback,
    };
    messages.push(message);
    report(message, "queued");
    if (behavior === "lost_answer") return request.socket.destroy();
    if (behavior === "slow_answer") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    answer(201, toResource(accountSid, message, value("MessagingServiceSid")));
    if (typeof behavior === "object") return report(message, "undelivered", behavior.failCode);
    for (const status of ["sent", "delivered"]) report(message, status);
  });

  const storage = http.createServer((request, response) => {
    const file = files.get(request.url?.split("/").at(-1) ?? "");
    // Credentials must not reach the storage.
    if (file === undefined || request.headers.authorization !== undefined) {
      response.writeHead(403).end();
      return;
    }
    response.writeHead(200, { "content-type": file.contentType }).end(file.bytes);
  });

  /** https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks */
  function report(message: FakeTwilioMessage, status: string, code?: number): void {
    // A message that is only queued has no sender yet when a Messaging Service chooses it.
    const fields: Record<string, string> = {
      AccountSid: accountSid,
      MessageSid: message.sid,
      To: message.to,
    };
    fields.MessageStatus = status;
    if (status !== "queued") fields.From = message.from;
    if (code !== undefined) fields.ErrorCode = String(code);
    enqueue(signedForm(authToken, message.callback, fields));
  }

  function enqueue(request: VendorRequest): void {
    pending.push(request);
  }

  const posting = setInterval(async () => {
    if (isPosting || post === null) return;
    isPosting = true;
    try {
      for (const request of [...pending]) {
        if (await post?.(request)) pending.splice(pending.indexOf(request), 1);
      }
    } finally {
      isPosting = false;
    }
  }, AGAIN_MS);

  const port = await listen(server, options.port ?? 0);
  const storageUrl = `http://127.0.0.1:${await listen(storage, 0)}`;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    messages,
    behave: (handle: string, behavior: TwilioBehavior) => void behaviors.set(handle, behavior),
    giveRcs: (handle: string) => void withRcs.add(handle),
    optOut: (handle: string) => void optedOut.add(handle),
    suspend(next: boolean) {
      isSuspended = next;
    },
    get unauthorized() {
      return unauthorized;
    },
    get pending() {
      return pending.length;
    },
    /** Reports a status of every message to a recipient. */
    report(handle: string, status: string) {
      for (const message of messages) if (message.to === handle) report(message, status);
    },
    /** Sends a message from a person to the webhook of a line. Returns its SID. */
    write(
      webhook: string,
      form: Record<string, string>,
      media: { contentType: string; bytes: Buffer }[] = [],
    ) {
      const sid = `SM${randomBytes(16).toString("hex")}`;
      const fields: Record<string, string> = { MessageSid: sid, AccountSid: accountSid, Body: "", ...form };
      media.forEach((file, index) => {
        const id = `ME${randomBytes(16).toString("hex")}`;
        files.set(id, file);
        fields[`MediaUrl${index}`] = `${url}/2010-04-01/Accounts/${accountSid}/Messages/${sid}/Media/${id}`;
        fields[`MediaContentType${index}`] = file.contentType;
      });
      fields.NumMedia = String(media.length);
      enqueue(signedForm(authToken, webhook, fields));
      return sid;
    },
    /** From now on, sends webhooks to `next`, each until it resolves to true; null = there is no listener. */
    callTo(next: typeof post) {
      post = next;
    },
    close() {
      clearInterval(posting);
      server.closeAllConnections();
      storage.close();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The answer to a create: schema api.v2010.account.message of twilio/twilio-oai, spec/json/twilio_api_v2010.json. */
function toResource(
  accountSid: string,
  { sid, to, from, body, media }: FakeTwilioMessage,
  serviceSid: string | undefined,
) {
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`;
  return {
    account_sid: accountSid,
    api_version: "2010-04-01",
    body,
    date_created: new Date(0).toUTCString(),
    date_sent: null,
    date_updated: new Date(0).toUTCString(),
    direction: "outbound-api",
    error_code: null,
    error_message: null,
    // A Messaging Service chooses the sender later.
    from: serviceSid === undefined ? from : null,
    messaging_service_sid: serviceSid ?? null,
    num_media: String(media.length),
    num_segments: "1",
    price: null,
    price_unit: "USD",
    sid,
    status: serviceSid === undefined ? "queued" : "accepted",
    subresource_uris: { media: uri.replace(".json", "/Media.json") },
    to,
    uri,
  };
}

async function listen(server: http.Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** A form of Twilio with its signature. */
export function signedForm(
  authToken: string,
  url: string,
  fields: Readonly<Record<string, string>>,
): VendorRequest {
  // https://www.twilio.com/docs/usage/security#validating-requests
  const signed = Object.keys(fields)
    .sort()
    .reduce((text, name) => text + name + fields[name], url);
  return {
    method: "POST",
    url,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": createHmac("sha1", authToken).update(signed, "utf8").digest("base64"),
    },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  };
}

async function download(url: string): Promise<{ contentType: string; bytes: Buffer }> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return {
    contentType: response.headers.get("content-type") ?? "",
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}
