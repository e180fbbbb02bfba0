import { inSuccess, isOf } from "@/scripts/cli/conform/plants/change-operation";
import type { Plant, ProxiedRequest } from "@/scripts/cli/conform/plants/planting-proxy";

const isPhoneSend = (request: ProxiedRequest) =>
  isOf(request, "POST /v3/chats/{id}/messages") &&
  JSON.stringify(request.body ?? null).includes("test: phones");
let isStopped = false;
let isUnblocked = false;

/** Ways in which an implementation can differ in what simulated people do. */
export const PHONE_PLANTS: readonly Plant[] = [
  {
    name: "a read message has no time",
    response: inSuccess("GET /v3/messages/{id}", ({ body }) => delete body.read_at),
    found: { id: "phones/a read message", seen: /read_at undefined/ },
  },
  {
    name: "override_optout is ignored",
    request: (request) => {
      if (isPhoneSend(request)) delete request.body.override_optout;
    },
    found: { id: "phones/a send after STOP with override_optout", seen: /403\/2024 .* in place of 202/ },
  },
  {
    name: "STOP is ignored",
    request: (request) => {
      if (request.body?.text === "STOP") isStopped = true;
      if (!isStopped || !isPhoneSend(request)) return;
      isStopped = false;
      request.body.override_optout = true;
    },
    found: { id: "phones/a send after STOP", seen: /202 in place of 403/ },
  },
  {
    name: "a keyword inside of a text opts out",
    request: ({ body }) => {
      if (body?.text === "Please STOP the noise") body.text = "STOP";
    },
    found: { id: "phones/a send after a keyword inside of a text", seen: /403\/2024 .* in place of 202/ },
  },
  {
    name: "a block does not end",
    response: (request, response) => {
      const { method, path, body } = request;
      // The plant of an ignored block has changed the handle.
      const isOfPhone = /^(\+|no@)/.test(String(body?.handle));
      if (path === "/v3/blocked_handles") isUnblocked = method === "DELETE" && isOfPhone;
      if (!isUnblocked || !isPhoneSend(request) || response.status !== 202) return;
      const { "x-trace-id": trace_id } = response.headers;
      const doc_url = "https://conform.invalid/2026";
      const error = { status: 403, code: 2026, message: "The recipient is blocked", doc_url };
      Object.assign(response, { status: 403, body: { success: false, error, trace_id } });
    },
    found: { id: "phones/a send after the end of a block", seen: /403\/2026 .* in place of 202/ },
  },
  {
    name: "a block is ignored",
    request: ({ path, body }) => {
      if (path === "/v3/blocked_handles" && String(body?.handle).startsWith("+"))
        body.handle = "no@conform.invalid";
    },
    found: { id: "phones/a send to a blocked person", seen: /202 in place of 403/ },
  },
];
