import "server-only";
import { z } from "zod";
import { TurnReason } from "@/lib/messaging/turns/turn-events";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { commaList } from "@/lib/platform/text/comma-list";

/** As many turns as one read returns: those of a page of messages, for several subscriptions. */
const MAX_TURNS = 200;
/** As many keys as the dashboard puts into one request. */
const MAX_IDS = 100;

/** A turn that was closed, in the dashboard's timeline. Several subscriptions may each have a turn of the same messages. */
export const ChatTurn = z.object({
  /** The ID of its `chat.turn` event. */
  id: z.uuid(),
  /** In order. */
  message_ids: z.array(z.uuid()),
  /** Messages that were deleted or unsent before the turn closed. */
  withdrawn: z.array(z.uuid()),
  reason: TurnReason,
  started_at: z.iso.datetime(),
  last_message_at: z.iso.datetime(),
  closed_at: z.iso.datetime(),
});

export type ChatTurn = z.infer<typeof ChatTurn>;

export const ListChatTurns = contract({
  summary: "List turns of a chat",
  tag: "Chats",
  right: "view_chats",
  params: z.object({ chatId: z.uuid() }),
  query: z.object({ ids: commaList(z.uuid()).pipe(z.array(z.uuid()).max(MAX_IDS)) }),
  returns: z.object({ turns: z.array(ChatTurn) }),
  status: 200,
  errors: ["parameter_invalid"],
});

// The data contains the content of the messages: it is unpacked once, and only its ids are returned.
const LIST_CHAT_TURNS = statement(
  "list-chat-turns",
  `select e.id as "id!", d.reason as "reason!: TurnReason", d.started_at as "started_at!",
    d.messages #>> '{-1,message,created_at}' as "last_message_at!", e.created_at as "closed_at!",
    array(select (item #>> '{message,id}')::uuid
      from jsonb_array_elements(d.messages) with ordinality as m(item, ord) order by ord) as "message_ids!",
    array(select gone.id::uuid from jsonb_array_elements_text(d.withdrawn) as gone(id)) as "withdrawn!"
  from events e
  cross join lateral jsonb_to_record(e.data) as d(reason text, started_at text, messages jsonb, withdrawn jsonb)
  where e.account_id = :accountId and e.id = any(:ids::uuid[]) and not e.internal
    and e.type = 'chat.turn' and e.chat_id = :chatId
  order by e.seq`,
);

/**
 * Returns those of these turns that the chat has, oldest first. The timeline reads a turn when its event arrives. Errors:
 * parameter_invalid for more than 100 IDs.
 */
export async function listChatTurns(
  ctx: Context,
  { params, query }: Pick<Input<typeof ListChatTurns>, "params" | "query">,
): Promise<{ turns: ChatTurn[] }> {
  return { turns: await readTurns(ctx, params.chatId, query.ids) };
}

const FIND_TURN_EVENTS = statement(
  "find-turn-events",
  `select distinct event_id from chat_turn_messages
  where account_id = :accountId and message_id = any(:messageIds::uuid[])
  order by event_id desc limit ${MAX_TURNS}`,
);

/**
 * Returns the turns that contain these messages of a chat, oldest first, at most the newest 200. A turn is known as long as
 * the log has its event. Where the messages have none, the log, whose partitions would all be opened, is not read.
 */
export async function findTurnsOfMessages(
  ctx: Context,
  { chatId, messageIds }: { chatId: string; messageIds: readonly string[] },
): Promise<ChatTurn[]> {
  if (messageIds.length === 0) return [];
  const events = await sql.run(FIND_TURN_EVENTS, { accountId: ctx.account.id, messageIds });
  return readTurns(
    ctx,
    chatId,
    events.map(({ event_id }) => event_id),
  );
}

async function readTurns(ctx: Context, chatId: string, ids: readonly string[]): Promise<ChatTurn[]> {
  if (ids.length === 0) return [];
  const rows = await sql.run(LIST_CHAT_TURNS, { accountId: ctx.account.id, chatId, ids });
  return rows.map(toChatTurn);
}

function toChatTurn({ closed_at, ...turn }: RowOf<"list-chat-turns">): ChatTurn {
  return { ...turn, closed_at: closed_at.toISOString() };
}
