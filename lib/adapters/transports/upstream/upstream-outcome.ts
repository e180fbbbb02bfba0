import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Accepted, Outbound, SendOutcome } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { type UpstreamApi, upstreamOf } from "@/lib/adapters/transports/upstream/upstream-api";
import { findDirectChat } from "@/lib/adapters/transports/upstream/upstream-chats";
import { MESSAGE_NOT_FOUND } from "@/lib/adapters/transports/upstream/upstream-errors";
import { isCode, reportOutage } from "@/lib/adapters/transports/upstream/upstream-send";
import { type RecentSend, upstreamState } from "@/lib/adapters/transports/upstream/upstream-state";
import { ServiceType } from "@/lib/platform/prisma/enums";

/** The clocks of the two services may differ by this much. */
const CLOCK_SKEW_MS = 60_000;

/** A lookup whose response is lost is repeated after these pauses, before the line counts as down. */
const LOOKUP_WAITS_MS = [300, 1200];
const LOOKUP_MS = 8000;

const Found = z.object({
  id: z.uuid(),
  chat_id: z.uuid(),
  service: z.enum(ServiceType).nullish().catch(null),
});
const FoundByKey = z.object({ chat_id: z.uuid(), message: Found });
const Chat = z.object({ is_group: z.boolean() });
const Page = z.object({
  messages: z.array(
    Found.extend({
      is_from_me: z.boolean(),
      created_at: z.string(),
      parts: z.array(z.object({ type: z.string(), value: z.string().nullish() })).nullish(),
    }),
  ),
});

/**
 * Finds out what became of a send. A Trunkline answers by idempotency key, and recognizes a repeat if it can't be
 * asked. Another upstream is asked for the newest messages of the chat: one match is the message, anything else is
 * unknown.
 */
export async function outcomeAtUpstream(line: LineRef, messageId: string): Promise<SendOutcome> {
  const api = await upstreamOf(line);
  const recent = upstreamState().sends.get(messageId);
  if (api.settings.kind !== "trunkline")
    return recent === undefined ? { state: "unknown" } : findMatch(api, recent);
  try {
    const { message } = await findByKey(api, messageId);
    const isGroup =
      recent === undefined ? await isGroupChat(api, message.chat_id) : recent.message.group !== null;
    return accepted({ ...message, isGroup, asked: recent?.message.service });
  } catch (error) {
    // Polls have keys of their own, so a repeat finds them.
    if (isCode(error, MESSAGE_NOT_FOUND)) return { state: "absent" };
    if (!(error instanceof AdapterError)) throw error;
    await reportOutage(api, new AdapterError("line_down", error.message));
    return { state: "repeatable" };
  }
}

async function findByKey(api: UpstreamApi, messageId: string): Promise<z.infer<typeof FoundByKey>> {
  const query = { idempotency_key: messageId };
  const find = () =>
    api.call("GET /v3/messages", { schema: FoundByKey, query, signal: AbortSignal.timeout(LOOKUP_MS) });
  for (const waitMs of LOOKUP_WAITS_MS) {
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof AdapterError) || error.kind !== "unknown_outcome") throw error;
    }
    await sleep(waitMs);
  }
  return find();
}

async function isGroupChat(api: UpstreamApi, chatId: string): Promise<boolean> {
  return (await api.call(`GET /v3/chats/${chatId}`, { schema: Chat })).is_group;
}

/** A message of the newest page that can only be this send: outbound, since it began, with the same parts. */
async function findMatch(api: UpstreamApi, recent: RecentSend): Promise<SendOutcome> {
  const chatId = recent.chatId ?? (await findChat(api, recent.message));
  if (chatId === null) return { state: "unknown" };
  const { messages } = await api.call(`GET /v3/chats/${chatId}/messages`, {
    schema: Page,
    query: { limit: "50" },
  });
  const since = recent.startedAt - CLOCK_SKEW_MS;
  const matches = messages.filter(
    (message) =>
      message.is_from_me &&
      (upstreamState().messages.get(message.id) ?? recent.message.id) === recent.message.id &&
      Date.parse(message.created_at) >= since &&
      shapeOf(message.parts ?? []) === shapeOf(recent.message.parts.map(toShape)),
  );
  const [match, ...more] = matches;
  if (match === undefined || more.length > 0) return { state: "unknown" };
  return accepted({ ...match, isGroup: recent.message.group !== null, asked: recent.message.service });
}

async function findChat(api: UpstreamApi, { to, group }: Outbound): Promise<string | null> {
  return group === null ? findDirectChat(api, to[0] ?? "") : group.ref;
}

interface Shape {
  type: string;
  value?: string | null | undefined;
}

function toShape(part: Outbound["parts"][number]): Shape {
  if (part.type === "text") return { type: "text", value: part.value };
  if (part.type === "link" || part.type === "app_clip") return { type: part.type, value: part.url };
  return { type: part.type === "app_card" ? "imessage_app" : part.type };
}

function shapeOf(parts: readonly Shape[]): string {
  return JSON.stringify(parts.map(({ type, value }) => [type, value ?? null]));
}

interface FoundMessage {
  id: string;
  chat_id: string;
  service?: ServiceType | null | undefined;
  isGroup: boolean;
  asked: ServiceType | undefined;
}

function accepted({ id, chat_id, service, isGroup, asked }: FoundMessage): SendOutcome {
  const found: Accepted = {
    refs: [id],
    groupRef: isGroup ? chat_id : null,
    service: service ?? asked ?? "iMessage",
  };
  return { state: "accepted", accepted: found };
}
