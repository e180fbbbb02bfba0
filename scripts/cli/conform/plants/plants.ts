import { createHmac, randomUUID } from "node:crypto";
import type {
  Plant,
  ProxiedRequest,
  ProxiedResponse,
  ProxiedWebhook,
} from "@/scripts/cli/conform/plants/planting-proxy";

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** Whether a request is of an operation, whose path may contain `{id}`. */
function isOf(request: ProxiedRequest, operation: string): boolean {
  const [method, path = ""] = operation.split(" ");
  const pattern = new RegExp(`^${path.replaceAll("{id}", UUID)}$`);
  return request.method === method && pattern.test(request.path.split("?")[0] ?? "");
}

/** Changes the successful responses of an operation. */
const inSuccess =
  (operation: string, change: (response: ProxiedResponse, request: ProxiedRequest) => void) =>
  (request: ProxiedRequest, response: ProxiedResponse) => {
    if (isOf(request, operation) && response.status < 300) change(response, request);
  };

/** Removes a parameter from the requests of an operation. */
const without = (operation: string, parameter: string) => (request: ProxiedRequest) => {
  if (!isOf(request, operation)) return;
  const url = new URL(request.path, "http://localhost");
  url.searchParams.delete(parameter);
  request.path = `${url.pathname}${url.search}`;
};

const isEvent = ({ headers, version }: ProxiedWebhook, type: string, wanted: string) =>
  headers["x-webhook-event"] === type && version === wanted;

/** Signs a webhook like the server does. */
function sign(webhook: ProxiedWebhook, secret: string): void {
  const { headers, body } = webhook;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  headers["webhook-signature"] = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  const legacy = `${headers["x-webhook-timestamp"]}.${body}`;
  headers["x-webhook-signature"] = createHmac("sha256", secret).update(legacy).digest("hex");
}

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const VALID_TOKENS = new Set<string>();
const seenKeys = new Set<string>();

/** Twenty ways in which an implementation can differ, each with what the report must say. */
export const PLANTS: readonly Plant[] = [
  {
    name: "a field is missing",
    response: inSuccess("GET /v3/chats/{id}", ({ body }) => delete body.health_status),
    found: { id: "operations/GET /v3/chats/{chatId}", seen: /health_status: is missing/ },
  },
  {
    name: "a field has another type",
    response: inSuccess("GET /v3/attachments/{id}", ({ body }) => {
      body.size_bytes = String(body.size_bytes);
    }),
    found: {
      id: "operations/GET /v3/attachments/{attachmentId}",
      seen: /size_bytes: is string in place of integer/,
    },
  },
  {
    name: "a status is another one",
    response: inSuccess("DELETE /v3/blocked_handles", (response) => {
      response.status = 200;
    }),
    found: { id: "operations/DELETE /v3/blocked_handles", seen: /200 in place of 204/ },
    alsoFound: /^phones\/the end of a block$/,
  },
  {
    name: "an error code is another one",
    response: (request, { status, body }) => {
      if (isOf(request, "PUT /v3/chats/{id}") && status === 409) body.error.code = 2015;
    },
    found: { id: "operations/PUT /v3/chats/{chatId}", seen: /409\/2015 .* in place of 409\/1006/ },
  },
  {
    name: "the last page is returned again",
    response: inSuccess("GET /v3/webhook-subscriptions", ({ body }, { path }) => {
      const cursor = new URL(path, "http://localhost").searchParams.get("cursor");
      if (body.next_cursor === null && cursor !== null) body.next_cursor = cursor;
    }),
    found: { id: "lists/GET /v3/webhook-subscriptions pages", seen: /page \d repeats/ },
  },
  {
    name: "a list has another order",
    response: inSuccess("GET /v3/chats/{id}/messages", ({ body }) => body.messages.reverse()),
    found: { id: "lists/GET /v3/chats/{chatId}/messages order", seen: /created_at: / },
    alsoFound: /^lists\/GET \/v3\/chats\/\{chatId\}\/messages pages$/,
  },
  {
    name: "a cursor is ignored",
    request: without("GET /v3/chats", "cursor"),
    found: { id: "lists/GET /v3/chats pages", seen: /page 2 repeats/ },
  },
  {
    name: "a limit is ignored",
    request: without("GET /v3/messages/{id}/thread", "limit"),
    found: { id: "lists/GET /v3/messages/{messageId}/thread pages", seen: /limit=2 returns 3 items/ },
    alsoFound: /^lists\/GET \/v3\/messages\/\{messageId\}\/thread\?order=desc pages$/,
  },
  {
    name: "an idempotency key is ignored",
    request: (request) => {
      const message = request.body?.message;
      const isSend = isOf(request, "POST /v3/chats/{id}/messages");
      if (isSend && message?.idempotency_key !== undefined) message.idempotency_key = randomUUID();
    },
    found: { id: "idempotency/POST /v3/chats/{chatId}/messages repeated", seen: /message\.id: / },
    alsoFound: /^idempotency\/POST \/v3\/chats\/\{chatId\}\/messages repeated with another content$/,
  },
  {
    name: "a repeated key has another response",
    response: inSuccess("POST /v3/messages", ({ body }, { headers }) => {
      const key = headers["idempotency-key"];
      if (key !== undefined && seenKeys.has(key)) body.message.created_at = "2026-01-01T00:00:00.000Z";
      if (key !== undefined) seenKeys.add(key);
    }),
    found: { id: "idempotency/POST /v3/messages with the header repeated", seen: /message\.created_at: / },
    alsoFound: /^idempotency\/POST \/v3\/messages with the header repeated with another content$/,
  },
  {
    name: "the signature is of another body",
    webhook: (webhook) => {
      if (isEvent(webhook, "message.received", "2025-01-01")) {
        webhook.body = JSON.stringify(JSON.parse(webhook.body), null, 1);
      }
      return undefined;
    },
    found: { id: "webhooks/message.received 2025-01-01: signatures", seen: /webhook-signature is not/ },
  },
  {
    name: "the signature has another key",
    webhook: (webhook) => {
      if (isEvent(webhook, "message.delivered", "2025-01-01")) sign(webhook, OTHER_SECRET);
      return undefined;
    },
    found: { id: "webhooks/message.delivered 2025-01-01: signatures", seen: /X-Webhook-Signature is not/ },
  },
  {
    name: "a header is missing",
    response: inSuccess("GET /v3/experiences", ({ headers }) => delete headers["x-trace-id"]),
    found: { id: "operations/GET /v3/experiences", seen: /X-Trace-ID is missing/ },
  },
  {
    name: "an event is missing",
    webhook: (webhook) => (isEvent(webhook, "message.sent", "2025-01-01") ? false : undefined),
    found: { id: "webhooks/message.sent 2025-01-01: arrives", seen: /nothing arrived in time/ },
  },
  {
    name: "events have another order",
    webhook: (webhook) => {
      if (!isEvent(webhook, "message.delivered", "2026-02-03")) return undefined;
      const event = JSON.parse(webhook.body);
      webhook.body = JSON.stringify({ ...event, created_at: "2026-01-01T00:00:00.000Z" });
      sign(webhook, webhook.secret);
      return undefined;
    },
    found: { id: "webhooks/message.sent before message.delivered", seen: /created_at is / },
  },
  {
    name: "a token is not checked",
    request: (request) => {
      const { authorization } = request.headers;
      const isWrong = authorization === undefined || authorization.includes("no_such_token");
      if (!isWrong) VALID_TOKENS.add(authorization);
      if (!isWrong || !/^\/v3\/experiences\/./.test(request.path)) return;
      request.headers.authorization = [...VALID_TOKENS].at(-1) ?? "";
      request.path = "/v3/experiences/link";
    },
    found: { id: "tokens/GET /v3/experiences/{experience} with a wrong token", seen: /200 in place of 401/ },
    alsoFound: /^tokens\/GET \/v3\/experiences\/\{experience\} without a token$/,
  },
  {
    name: "Retry-After says something else",
    response: (_, { status, headers }) => {
      if (status === 429) headers["retry-after"] = String(Number(headers["retry-after"]) + 1);
    },
    found: { id: "limits/two capability checks", seen: /Retry-After is \d+, error\.retry_after \d+/ },
    alsoFound: /^limits\/429 of POST/,
  },
  {
    name: "a field is null in place of absent",
    response: inSuccess("GET /v3/messages/{id}", ({ body }) => {
      body.reconciled_at = null;
    }),
    found: {
      id: "operations/GET /v3/messages/{messageId}",
      seen: /reconciled_at: is null in place of string/,
    },
    alsoFound: /^phones\/a received message$/,
  },
  {
    name: "a time has another format",
    response: inSuccess("GET /v3/webhook-subscriptions/{id}", ({ body }) => {
      body.created_at = body.created_at.replace("T", " ");
    }),
    found: {
      id: "operations/GET /v3/webhook-subscriptions/{subscriptionId}",
      seen: /created_at: .* no date-time/,
    },
  },
  {
    name: "a queued action is 200 in place of 202",
    response: inSuccess("POST /v3/chats/{id}/background", (response) => {
      response.status = 200;
    }),
    found: { id: "operations/POST /v3/chats/{chatId}/background", seen: /200 in place of 202/ },
  },
];
