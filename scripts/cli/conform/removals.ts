import type { ApiRequest, ApiResponse } from "@/scripts/cli/conform/api-request";
import { idAt, textAt } from "@/scripts/cli/conform/value-at";

/** How to remove what a request created. */
export interface Removal {
  /** Undefined if the response names nothing that can be removed. */
  request?: Pick<ApiRequest, "method" | "path" | "body">;
  /** The ID of what was created, as the guard knows it. */
  id?: string;
  isMessage?: true;
}

interface Rule {
  method: string;
  path: RegExp;
  removal: (created: unknown, request: { path: string; body?: unknown }) => Removal;
}

const ofMessage =
  (idPath: string) =>
  (created: unknown): Removal => {
    const id = idAt(created, idPath);
    if (id === undefined) return {};
    const isLater = textAt(created, idPath.replace(/\w+$/, "send_at")) !== undefined;
    const list = isLater ? "scheduled_messages" : "messages";
    return { request: { method: "DELETE", path: `/v3/${list}/${id}` }, id, isMessage: true };
  };

const ofId =
  (method: string, folder: string, idPath = "id", action = "") =>
  (created: unknown): Removal => {
    const id = idAt(created, idPath);
    return id === undefined ? {} : { request: { method, path: `/v3/${folder}/${id}${action}` }, id };
  };

/** How to remove what an operation creates. A chat and a reaction have no operation for it. */
const RULES: readonly Rule[] = [
  { method: "POST", path: /^\/v3\/attachments$/, removal: ofId("DELETE", "attachments", "attachment_id") },
  { method: "POST", path: /^\/v3\/webhook-subscriptions$/, removal: ofId("DELETE", "webhook-subscriptions") },
  {
    method: "POST",
    path: /^\/v3\/blocked_handles$/,
    // The response could name a block of another person, which existed before.
    removal: (_, { body }) => {
      const handle = textAt(body, "handle");
      if (handle === undefined) return {};
      const path = "/v3/blocked_handles";
      return { request: { method: "DELETE", path, body: { handle } }, id: blockId(handle) };
    },
  },
  {
    method: "PUT",
    path: /^\/v3\/consumers\/[^/]+$/,
    removal: (_, { path }) => ({ request: { method: "DELETE", path } }),
  },
  {
    method: "POST",
    path: /^\/v3\/payment_requests$/,
    removal: ofId("POST", "payment_requests", "id", "/cancel"),
  },
  {
    method: "POST",
    path: /^\/v3\/contact_card$/,
    removal: (_, { body }) => {
      const number = textAt(body, "phone_number");
      if (number === undefined) return {};
      const path = `/v3/contact_card?phone_number=${encodeURIComponent(number)}`;
      return { request: { method: "DELETE", path }, id: cardId(number) };
    },
  },
  { method: "POST", path: /^\/v3\/chats$/, removal: ofMessage("chat.message.id") },
  {
    method: "POST",
    path: /^\/v3\/(messages|chats\/[^/]+\/messages|messages\/[^/]+\/update)$/,
    removal: ofMessage("message.id"),
  },
  { method: "PATCH", path: /^\/v3\/scheduled_messages\/[^/]+$/, removal: ofMessage("id") },
  { method: "POST", path: /^\/v3\/chats\/[^/]+\/polls$/, removal: ofMessage("message_id") },
  { method: "POST", path: /^\/v3\/chats\/[^/]+\/voicememo$/, removal: ofMessage("voice_memo.id") },
];

/** A block and a contact card have no ID but the handle or the line that they belong to. */
export const blockId = (handle: string) => `the block of ${handle}`;
export const cardId = (line: string) => `the contact card of ${line}`;

/** How to remove what a request created; null if it created nothing. Without a response, it may have. */
export function removalOf({ method, path, body }: ApiRequest, { status, json }: ApiResponse): Removal | null {
  if (status !== 0 && (status < 200 || status >= 300)) return null;
  const [pathname = path] = path.split("?");
  const rule = RULES.find((one) => one.method === method && one.path.test(pathname));
  return rule?.removal(json, { path: pathname, body }) ?? null;
}
