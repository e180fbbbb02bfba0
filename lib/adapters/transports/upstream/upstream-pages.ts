import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { UpstreamApi } from "@/lib/adapters/transports/upstream/upstream-api";
import { ChatPage, toChat } from "@/lib/adapters/transports/upstream/upstream-chats";
import { contentShape } from "@/lib/adapters/transports/upstream/upstream-envelope";
import { toFailure } from "@/lib/adapters/transports/upstream/upstream-errors";
import { toMessageEvent } from "@/lib/adapters/transports/upstream/upstream-messages";
import { upstreamState } from "@/lib/adapters/transports/upstream/upstream-state";
import { log } from "@/lib/platform/log";
import { ServiceType } from "@/lib/platform/prisma/enums";

/** Messages are read again for this long, for receipts and for those that were stored late. */
const OVERLAP_MS = 10 * 60_000;
const CHATS_OF_PAGE = 100;
const MESSAGES_OF_PAGE = 100;
/** A look ends here, so that it fits into one poll. The next one reads the same chats again. */
const MAX_PAGES = 20;

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

/** A message that can't be read is left out: it would hold back all others. */
const Readable = z.union([Message, z.unknown().transform(() => null)]);
const MessagePage = z.object({ messages: z.array(Readable), next_cursor: z.string().nullish() });

type Message = z.output<typeof Message>;
type Chat = z.output<typeof ChatPage>["chats"][number];

/** The result of a look at the newest pages. */
interface Recovered {
  events: InEvent[];
  /** The time that the next look starts from. */
  since: Date;
}

/**
 * Reads what happened since a time from the newest pages of an upstream without an event stream: chats that changed,
 * and their messages down to known ones. The API has no filter by time, so ten minutes before `since` are read again,
 * and the sink recognizes what it has. Throws AdapterError.
 */
export async function readNewestPages(
  api: UpstreamApi,
  since: Date,
  { startedAt, signal }: { startedAt: Date; signal: AbortSignal },
): Promise<Recovered> {
  const oldest = since.getTime() - OVERLAP_MS;
  const events: InEvent[] = [];
  let pages = 0;
  for await (const chats of readChats(api, oldest, signal)) {
    for (const chat of chats) {
      upstreamState().chats.set(`${api.account} ${chat.id}`, toChat(api, chat));
      for await (const messages of readMessages(api, chat.id, oldest, signal)) {
        for (const message of messages) events.push(...(await readMessage(api, chat, message)));
        pages++;
      }
    }
    if (pages >= MAX_PAGES) break;
  }
  // Older messages first, as they happened.
  return { events: events.reverse(), since: startedAt };
}

/** The chats that changed since a time, page by page, newest first. */
async function* readChats(api: UpstreamApi, oldest: number, signal: AbortSignal): AsyncGenerator<Chat[]> {
  let cursor: string | null = null;
  do {
    const page: z.output<typeof ChatPage> = await api.call("GET /v3/chats", {
      schema: ChatPage,
      query: {
        from: api.number,
        limit: String(CHATS_OF_PAGE),
        ...(cursor !== null && { cursor }),
      },
      signal,
    });
    const changed = page.chats.filter(({ updated_at }) => Date.parse(updated_at) >= oldest);
    if (changed.length > 0) yield changed;
    // The order is by activity, so a page without changes is the last one that matters.
    if (changed.length === 0) return;
    cursor = page.next_cursor ?? null;
  } while (cursor !== null);
}

/** The messages of a chat since a time, page by page, newest first. */
async function* readMessages(
  api: UpstreamApi,
  chatId: string,
  oldest: number,
  signal: AbortSignal,
): AsyncGenerator<Message[]> {
  let cursor: string | null = null;
  do {
    const page: z.output<typeof MessagePage> = await api.call(`GET /v3/chats/${chatId}/messages`, {
      schema: MessagePage,
      query: { limit: String(MESSAGES_OF_PAGE), ...(cursor !== null && { cursor }) },
      signal,
    });
    const readable = page.messages.flatMap((message) => message ?? []);
    if (readable.length < page.messages.length) {
      log.warn({ lineId: api.line.id, chatId }, "a message of the upstream can't be read");
    }
    const recent = readable.filter(({ created_at }) => Date.parse(created_at) >= oldest);
    if (recent.length > 0) yield recent;
    if (recent.length < readable.length || page.messages.length === 0) return;
    cursor = page.next_cursor ?? null;
  } while (cursor !== null);
}

async function readMessage(api: UpstreamApi, chat: Chat, message: Message): Promise<InEvent[]> {
  try {
    return await toEventsOf(api, chat, message);
  } catch (error) {
    const isLost = error instanceof AdapterError && error.kind === "rejected";
    if (!isLost && !(error instanceof z.ZodError)) throw error;
    log.warn({ err: error, lineId: api.line.id }, "a message of the upstream can't be read");
    return [];
  }
}

/** The events of a listed message, latest first: a message of a person, or the receipts of an outbound one. */
async function toEventsOf(api: UpstreamApi, chat: Chat, message: Message): Promise<InEvent[]> {
  if (message.is_from_me) return toReceipts(message).reverse();
  const from = message.from_handle;
  if (from == null) return [];
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
