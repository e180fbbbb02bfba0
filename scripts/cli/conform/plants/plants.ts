import { randomUUID } from "node:crypto";
import { inSuccess, isOf, without } from "@/scripts/cli/conform/plants/change-operation";
import { PHONE_PLANTS } from "@/scripts/cli/conform/plants/phone-plants";
import type { Plant, ProxiedRequest } from "@/scripts/cli/conform/plants/planting-proxy";
import { WEBHOOK_PLANTS } from "@/scripts/cli/conform/plants/webhook-plants";

const VALID_TOKENS = new Set<string>();
const firstResponses = new Map<string, unknown>();
const keysOfRequests = new WeakMap<ProxiedRequest, string>();
const seenKeys = new Set<string>();

/** Ways in which an implementation can differ, each with what the report must say. */
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
    alsoFound: /^inputs\/GET \/v3\/chats: cursor=/,
  },
  {
    name: "a limit is ignored",
    request: without("GET /v3/messages/{id}/thread", "limit"),
    found: { id: "lists/GET /v3/messages/{messageId}/thread pages", seen: /limit=2 returns 3 items/ },
    alsoFound:
      /^(lists\/GET \/v3\/messages\/\{messageId\}\/thread\?order=desc pages|inputs\/GET \/v3\/messages\/\{messageId\}\/thread: limit=.+)$/,
  },
  {
    name: "a page of a list that grows leaves one out",
    response: inSuccess("GET /v3/requests", ({ body }, { path }) => {
      if (path.includes("cursor=")) body.requests.shift();
    }),
    found: { id: "lists/GET /v3/requests pages", seen: /^pages return / },
  },
  {
    name: "the deliveries of a page have another order",
    response: inSuccess("GET /v1/webhook-logs", ({ body }, { path }) => {
      if (path.includes("cursor=")) body.webhook_logs.reverse();
    }),
    found: { id: "webhooks/GET /v1/webhook-logs pages", seen: /^pages return / },
  },
  {
    name: "an idempotency key is ignored",
    request: (request) => {
      const message = request.body?.message;
      const isSend = isOf(request, "POST /v3/chats/{id}/messages");
      if (isSend && message?.idempotency_key !== undefined) message.idempotency_key = randomUUID();
    },
    found: { id: "idempotency/POST /v3/chats/{chatId}/messages repeated", seen: /message\.id: / },
    alsoFound:
      /^idempotency\/POST \/v3\/chats\/\{chatId\}\/messages( repeated with another content|: nothing new)$/,
  },
  {
    name: "a repeated key sends again, with the first response",
    request: (request) => {
      const message = request.body?.message;
      const key = message?.idempotency_key;
      if (!isOf(request, "POST /v3/chats") || key === undefined) return;
      if (firstResponses.has(key)) message.idempotency_key = randomUUID();
      keysOfRequests.set(request, key);
    },
    response: (request, response) => {
      const key = keysOfRequests.get(request);
      if (key === undefined || response.status !== 201) return;
      const first = firstResponses.get(key);
      if (first === undefined) firstResponses.set(key, structuredClone(response.body));
      else response.body = first;
    },
    found: { id: "idempotency/POST /v3/chats: nothing new", seen: /^3 new: / },
  },
  {
    name: "an invalid field has the code of an invalid body",
    response: (request, { body }) => {
      if (isOf(request, "POST /v3/attachments") && request.body?.size_bytes === "wrong")
        body.error.code = 1003;
    },
    found: {
      id: "inputs/POST /v3/attachments: size_bytes of the wrong type",
      seen: /400\/1003 .* in place of 400/,
    },
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
    name: "a header is missing",
    response: inSuccess("GET /v3/experiences", ({ headers }) => delete headers["x-trace-id"]),
    found: { id: "operations/GET /v3/experiences", seen: /X-Trace-ID is missing/ },
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
  {
    name: "a message is sent at once",
    response: inSuccess("POST /v3/chats/{id}/messages", ({ body }) => {
      body.message.delivery_status = "sent";
    }),
    found: { id: "sends/the response", seen: /delivery_status is sent/ },
  },
  {
    name: "a message is delivered before it is sent",
    response: inSuccess("GET /v3/messages/{id}", ({ body }) => {
      if (body.delivered_at !== undefined) body.delivered_at = "2020-01-01T00:00:00.000Z";
    }),
    found: { id: "sends/the times", seen: /^are / },
  },
  {
    name: "a deleted message has another error",
    response: (request, response) => {
      if (isOf(request, "GET /v3/messages/{id}") && response.status === 404) response.status = 410;
    },
    found: { id: "sends/a deleted message", seen: /410.* in place of 404/ },
    alsoFound: /^inputs\/GET \/v3\/messages\/\{messageId\}: an unknown messageId$/,
  },
  {
    name: "an old chat is the first of the list",
    response: inSuccess("GET /v3/chats", ({ body }, { path }) => {
      if (path.endsWith("?limit=1")) body.chats[0].id = randomUUID();
    }),
    found: { id: "sends/the chat is the first of the list", seen: /^is / },
  },
  {
    name: "the secret is shown again",
    response: inSuccess("GET /v3/webhook-subscriptions/{id}", ({ body }) => {
      body.signing_secret = "whsec_shown_again";
    }),
    found: { id: "webhooks/the secret of 2026-02-03 read again", seen: /GET shows signing_secret/ },
    alsoFound: /^webhooks\/the secret of 2025-01-01 read again$/,
  },
  {
    name: "a second subscription of a URL is accepted",
    response: (request, response) => {
      if (isOf(request, "POST /v3/webhook-subscriptions") && response.status === 409) response.status = 201;
    },
    found: { id: "webhooks/a second subscription of 2026-02-03", seen: /^201/ },
    alsoFound: /^webhooks\/a second subscription of 2025-01-01$/,
  },
  {
    name: "a pause is ignored",
    request: (request) => {
      const isPause =
        isOf(request, "PUT /v3/webhook-subscriptions/{id}") && request.body?.is_active === false;
      if (isPause) request.body.is_active = true;
    },
    found: { id: "webhooks/a paused subscription", seen: /message\.sent arrived/ },
  },
  ...PHONE_PLANTS,
  ...WEBHOOK_PLANTS,
];
