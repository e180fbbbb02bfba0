import type { ApiRequest, ApiResponse } from "@/scripts/cli/conform/api-request";

type Body = Readonly<Record<string, unknown>>;
type Removal = Pick<ApiRequest, "method" | "path" | "body">;

interface Rule {
  method: string;
  path: RegExp;
  removal: (created: Body, path: string) => Removal | null;
}

const ofMessage = (message: unknown): Removal | null => {
  const { id, send_at } = (message ?? {}) as { id?: string; send_at?: string };
  if (id === undefined) return null;
  const list = send_at === undefined ? "messages" : "scheduled_messages";
  return { method: "DELETE", path: `/v3/${list}/${id}` };
};

/** How to remove what an operation creates. A chat and a reaction have no operation for it. */
const RULES: readonly Rule[] = [
  {
    method: "POST",
    path: /^\/v3\/attachments$/,
    removal: ({ attachment_id }) => ({ method: "DELETE", path: `/v3/attachments/${attachment_id}` }),
  },
  {
    method: "POST",
    path: /^\/v3\/webhook-subscriptions$/,
    removal: ({ id }) => ({ method: "DELETE", path: `/v3/webhook-subscriptions/${id}` }),
  },
  {
    method: "POST",
    path: /^\/v3\/blocked_handles$/,
    removal: ({ blocked_handle }) => ({
      method: "DELETE",
      path: "/v3/blocked_handles",
      body: { handle: (blocked_handle as { handle?: string } | undefined)?.handle },
    }),
  },
  {
    method: "PUT",
    path: /^\/v3\/consumers\/[^/]+$/,
    removal: (_, path) => ({ method: "DELETE", path }),
  },
  {
    method: "POST",
    path: /^\/v3\/payment_requests$/,
    removal: ({ id }) => ({ method: "POST", path: `/v3/payment_requests/${id}/cancel` }),
  },
  {
    method: "POST",
    path: /^\/v3\/contact_card$/,
    removal: ({ phone_number }) => ({
      method: "DELETE",
      path: `/v3/contact_card?phone_number=${encodeURIComponent(String(phone_number))}`,
    }),
  },
  {
    method: "POST",
    path: /^\/v3\/chats$/,
    removal: ({ chat }) => ofMessage((chat as { message?: unknown } | undefined)?.message),
  },
  {
    method: "POST",
    path: /^\/v3\/(messages|chats\/[^/]+\/messages|messages\/[^/]+\/update)$/,
    removal: ({ message }) => ofMessage(message),
  },
  {
    method: "PATCH",
    path: /^\/v3\/scheduled_messages\/[^/]+$/,
    removal: ofMessage,
  },
  {
    method: "POST",
    path: /^\/v3\/chats\/[^/]+\/polls$/,
    removal: ({ message_id }) => ofMessage({ id: message_id }),
  },
  {
    method: "POST",
    path: /^\/v3\/chats\/[^/]+\/voicememo$/,
    removal: ({ voice_memo }) => ofMessage(voice_memo),
  },
];

/** The request that removes what a response says was created; null if nothing was. */
export function removalOf({ method, path }: ApiRequest, { status, json }: ApiResponse): Removal | null {
  if (status < 200 || status >= 300 || typeof json !== "object" || json === null) return null;
  const [pathname = path] = path.split("?");
  const rule = RULES.find((one) => one.method === method && one.path.test(pathname));
  return rule?.removal(json as Body, pathname) ?? null;
}
