import "server-only";
import { z } from "zod";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { UpstreamApi } from "@/lib/adapters/transports/upstream/upstream-api";
import { Chat, toChat } from "@/lib/adapters/transports/upstream/upstream-chats";
import { contentShape } from "@/lib/adapters/transports/upstream/upstream-envelope";
import { toFailure } from "@/lib/adapters/transports/upstream/upstream-errors";
import { mayBeReadLater, unreadable } from "@/lib/adapters/transports/upstream/upstream-events";
import { toMessageEvent } from "@/lib/adapters/transports/upstream/upstream-messages";
import { upstreamState } from "@/lib/adapters/transports/upstream/upstream-state";
import { ServiceType } from "@/lib/platform/prisma/enums";
import { log } from "@/lib/platform/telemetry/log";

/** Messages are read again for this long, for receipts and for those that were stored late. */
const OVERLAP_MS = 10 * 60_000;
/** With their messages, they are read within the time of one poll, also from a slow upstream. */
const CHATS_OF_PAGE = 20;
const MESSAGES_OF_PAGE = 100;
/** A chat whose pages never end must not stop the line. */
const MAX_PAGES = 100;

const Time = z.string().nullish();

const Message = z.object({
  id: z.string(),
  is_from_me: z.boolean(),
  from_handle: z.object({ handle: z.string(), is_me: z.boolean().nullish() }).nullish(),
  service: z.enum(ServiceType).nullish().catch(null),
  delivery_status: z.string(),
  created_at: z.string(),
  updated_at: Time,
  sent_at: Time,
  delivered_at: Time,
  read_at: Time,
  reconciled_at: Time,
  ...contentShape,
});

/** An item of a list that can't be read is set aside: it would hold back all others. */
const orUnreadable = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([
    schema.transform((read) => ({ read, raw: null })),
    z.unknown().transform((raw) => ({ read: null, raw })),
  ]);
const MessagePage = z.object({ messages: z.array(orUnreadable(Message)), next_cursor: z.string().nullish() });
const ListedChats = z.object({ chats: z.array(orUnreadable(Chat)), next_cursor: z.string().nullish() });

type Message = z.output<typeof Message>;
type ListedChat = z.output<typeof Chat>;
/** Where a look at the lists of an upstream stands. */
export interface Look {
  /** Chats that changed since then, less the overlap, are read. */
  since: Date;
  /** Their messages are read from then on: a chat may have been read before its newest message moved it to the top. */
  messagesSince: Date;
  /** The page of chats that comes next; null = the first. */
  cursor: string | null;
}

interface LookedPage {
  events: InEvent[];
  /** The next page of the look; null at its end. */
  cursor: string | null;
}

/**
 * Reads one page of the chats of an upstream without an event stream that changed since a time, and their messages down
 * to known ones. The API has no filter by time, so ten minutes more are read again, and the sink recognizes what it has.
 * Throws AdapterError.
 */
export async function readChangedChats(
  api: UpstreamApi,
  { since, messagesSince, cursor }: Look,
  signal: AbortSignal,
): Promise<LookedPage> {
  const page = await api.call("GET /v3/chats", {
    schema: ListedChats,
    query: { from: api.number, limit: String(CHATS_OF_PAGE), ...(cursor !== null && { cursor }) },
    signal,
  });
  const events: InEvent[] = [];
  const oldest = since.getTime() - OVERLAP_MS;
  for (const item of page.chats) {
    const { read: chat, raw } = item;
    if (timeOf(item, "updated_at") < oldest) continue;
    if (chat === null) events.push(unreadable("a chat", raw, idOf(raw)));
    else await readNewMessages(api, chat, { since: messagesSince, signal, into: events });
  }
  // The order is by activity, so a page without changes is the last one that matters. One cursor twice is an error.
  const next = page.next_cursor ?? null;
  const isLast = !page.chats.some((item) => timeOf(item, "updated_at") >= oldest) || next === cursor;
  // Older messages first, as they happened.
  return { events: events.reverse(), cursor: isLast ? null : next };
}

/** When an item of a list changed or was created, also one that can't be read otherwise; NaN for one that does not say. */
function timeOf({ read, raw }: Item, field: "updated_at" | "created_at"): number {
  const time: unknown = Reflect.get(Object(read ?? raw), field);
  return typeof time === "string" ? Date.parse(time) : Number.NaN;
}

function idOf(raw: unknown): string | undefined {
  const id: unknown = Reflect.get(Object(raw), "id");
  return typeof id === "string" ? id : undefined;
}

/**
 * Adds the events of a chat's messages since a time, newest first. Messages that the upstream refuses to list are set aside:
 * they would hold back those of all other chats.
 */
async function readNewMessages(
  api: UpstreamApi,
  chat: ListedChat,
  { since, signal, into }: { since: Date; signal: AbortSignal; into: InEvent[] },
): Promise<void> {
  upstreamState().chats.set(`${api.account} ${chat.id}`, toChat(api, chat));
  const oldest = since.getTime() - OVERLAP_MS;
  try {
    for await (const messages of readMessages(api, chat.id, { oldest, signal })) {
      for (const { read, raw } of messages) {
        if (read === null) into.push(unreadable("a message", { chat_id: chat.id, message: raw }));
        else into.push(...(await readMessage(api, chat, read)));
      }
    }
  } catch (error) {
    if (mayBeReadLater(error)) throw error;
    log.warn({ err: error, lineId: api.line.id }, "the messages of a chat of the upstream can't be read");
    into.push(unreadable("the messages of a chat", { chat_id: chat.id, updated_at: chat.updated_at }));
  }
}

type Item = { read: object | null; raw: unknown };
type Listed = z.output<typeof MessagePage>["messages"];

/** The messages of a chat since a time, page by page, newest first. */
async function* readMessages(
  api: UpstreamApi,
  chatId: string,
  { oldest, signal }: { oldest: number; signal: AbortSignal },
): AsyncGenerator<Listed> {
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page: z.output<typeof MessagePage> = await api.call(`GET /v3/chats/${chatId}/messages`, {
      schema: MessagePage,
      query: { limit: String(MESSAGES_OF_PAGE), ...(cursor !== null && { cursor }) },
      signal,
    });
    const recent = page.messages.filter((item) => !(timeOf(item, "created_at") < oldest));
    if (recent.length > 0) yield recent;
    const next = page.next_cursor ?? null;
    // Messages without a time say nothing about those behind them.
    const times = page.messages.map((item) => timeOf(item, "created_at")).filter(Number.isFinite);
    const isPassed = times.length === 0 || times.some((time) => time < oldest);
    if (isPassed || next === null || next === cursor) return;
    cursor = next;
  }
  log.warn({ lineId: api.line.id, chatId }, "a chat of the upstream has more messages than one look reads");
}

async function readMessage(api: UpstreamApi, chat: ListedChat, message: Message): Promise<InEvent[]> {
  try {
    return await toEventsOf(api, chat, message);
  } catch (error) {
    if (mayBeReadLater(error)) throw error;
    log.warn({ err: error, lineId: api.line.id }, "a message of the upstream can't be read");
    return [unreadable("a message", { chat_id: chat.id, message })];
  }
}

/** The events of a listed message, latest first: a message of a person, or the receipts of an outbound one. */
async function toEventsOf(api: UpstreamApi, chat: ListedChat, message: Message): Promise<InEvent[]> {
  if (message.is_from_me) return toReceipts(message).reverse();
  const from = message.from_handle;
  if (from == null) return [unreadable("a message without a sender", { chat_id: chat.id, message })];
  const { id, service, parts, effect, reply_to, sent_at, created_at } = message;
  const data = {
    id,
    direction: "inbound" as const,
    chat: { id: chat.id, is_group: chat.is_group },
    sender_handle: from,
    service,
    idempotency_key: null,
    // The webhook of a message that is found here did not arrive in time.
    reconciled_at: message.reconciled_at ?? created_at,
    parts,
    effect,
    reply_to,
    sent_at: sent_at ?? created_at,
    delivered_at: null,
    read_at: null,
  };
  return toMessageEvent({ api, at: new Date(created_at) }, data);
}

// Lists have no idempotency keys, so receipts are found by the upstream's id alone.
function toReceipts({ id: ref, service, delivery_status, updated_at, ...times }: Message): InEvent[] {
  const about = { ref, ...(service != null && { service }) };
  const receipts: InEvent[] = [];
  for (const type of ["sent", "delivered", "read"] as const) {
    const at = times[`${type}_at`];
    if (at != null) receipts.push({ type, ...about, at: new Date(at) });
  }
  if (delivery_status === "failed") {
    const at = new Date(updated_at ?? times.created_at);
    receipts.push({ type: "failed", ...about, at, error: toFailure(4001, "the message failed") });
  }
  return receipts;
}
