import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { ActionTarget } from "@/lib/adapters/transports/actions";
import type { UpstreamApi } from "@/lib/adapters/transports/upstream/upstream-api";
import { type UpstreamChat, upstreamState } from "@/lib/adapters/transports/upstream/upstream-state";

const FRESH_MS = 60_000;

const ChatHandle = z.object({
  handle: z.string(),
  is_me: z.boolean().nullish(),
  status: z.string().nullish(),
});

export const Chat = z.object({
  id: z.uuid(),
  is_group: z.boolean(),
  handles: z.array(ChatHandle),
  updated_at: z.string(),
});

const ChatPage = z.object({ chats: z.array(Chat), next_cursor: z.string().nullish() });

type Chat = z.infer<typeof Chat>;

/** Caches the chat of a direct conversation, which a send reported. */
export function cacheDirectChat(api: UpstreamApi, handle: string, chatId: string): void {
  upstreamState().directChats.set(directKey(api, handle), chatId);
}

/** Forgets the chat of a direct conversation, because the upstream no longer has it. */
export function forgetDirectChat(api: UpstreamApi, handle: string): void {
  upstreamState().directChats.delete(directKey(api, handle));
}

/** Finds the upstream's chat of a direct conversation; null when there is none. Throws AdapterError. */
export async function findDirectChat(
  api: UpstreamApi,
  handle: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const known = upstreamState().directChats.get(directKey(api, handle));
  if (known !== undefined) return known;
  const { chats } = await api.call("GET /v3/chats", {
    schema: ChatPage,
    query: { from: api.number, to: handle, limit: "100" },
    ...(signal !== undefined && { signal }),
  });
  const found = chats.find(
    ({ is_group, handles }) => !is_group && handles.some((each) => each.handle === handle),
  );
  if (found === undefined) return null;
  cacheDirectChat(api, handle, found.id);
  return found.id;
}

/** The upstream's chat of an action. Throws AdapterError, `rejected` when the upstream has no such chat. */
export async function chatOfTarget(
  api: UpstreamApi,
  { to, group }: Pick<ActionTarget, "to" | "group">,
  signal?: AbortSignal,
): Promise<string> {
  if (group !== null) {
    if (group.ref !== null && isUuid(group.ref)) return group.ref;
    throw new AdapterError("rejected", "the group does not exist in the upstream account yet");
  }
  const chatId = await findDirectChat(api, to[0] ?? "", signal);
  if (chatId === null) throw new AdapterError("rejected", `the upstream has no chat with ${to[0]}`);
  return chatId;
}

/** Reads a chat of the upstream. A group's members may be up to a minute old. Throws AdapterError. */
export async function readChat(api: UpstreamApi, chatId: string): Promise<UpstreamChat> {
  const key = `${api.account} ${chatId}`;
  const known = upstreamState().chats.get(key);
  if (known !== undefined && (!known.isGroup || performance.now() - known.readAt < FRESH_MS)) return known;
  const chat = toChat(api, await api.call(`GET /v3/chats/${chatId}`, { schema: Chat }));
  upstreamState().chats.set(key, chat);
  return chat;
}

export function toChat({ number }: UpstreamApi, { is_group, handles }: Chat): UpstreamChat {
  const others = handles.flatMap(({ handle, is_me, status }) =>
    is_me === true || handle === number || (status ?? "active") !== "active" ? [] : handle,
  );
  return { isGroup: is_group, others, readAt: performance.now() };
}

/** Whether a reference can be an ID of the API. A line that changed its transport has references of the earlier one. */
export function isUuid(ref: string): boolean {
  return z.uuid().safeParse(ref).success;
}

function directKey({ account, number }: UpstreamApi, handle: string): string {
  return `${account} ${number} ${handle}`;
}
