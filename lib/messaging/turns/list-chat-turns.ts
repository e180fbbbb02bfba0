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
/** As many turns as a page asks for by their IDs. */
const MAX_IDS = 50;

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

// The content of the messages, which the event has too, is not read.
const TURN = `e.id as "id!", e.data ->> 'reason' as "reason!: TurnReason", e.data ->> 'started_at' as "started_at!",
  e.data #>> '{messages,-1,message,created_at}' as "last_message_at!", e.created_at as "closed_at!",
  array(select (item #>> '{message,id}')::uuid
    from jsonb_array_elements(e.data -> 'messages') with ordinality as m(item, ord) order by ord) as "message_ids!",
  array(select gone.id::uuid from jsonb_array_elements_text(e.data -> 'withdrawn') as gone(id)) as "withdrawn!"`;

const LIST_CHAT_TURNS = statement(
  "list-chat-turns",
  `select ${TURN} from events e
  where e.account_id = :accountId and e.id = any(:ids::uuid[]) and not e.internal
    and e.type = 'chat.turn' and e.chat_id = :chatId
  order by e.seq`,
);

/**
 * Returns those of these turns that the chat has, oldest first. The timeline reads a turn when its event arrives. Errors:
 * parameter_invalid for more than 50 IDs.
 */
export async function listChatTurns(
  ctx: Context,
  { params, query }: Pick<Input<typeof ListChatTurns>, "params" | "query">,
): Promise<{ turns: ChatTurn[] }> {
  if (query.ids.length === 0) return { turns: [] };
  const { chatId } = params;
  const rows = await sql.run(LIST_CHAT_TURNS, { accountId: ctx.account.id, chatId, ids: query.ids });
  return { turns: rows.map(toChatTurn) };
}

const FIND_TURNS_OF_MESSAGES = statement(
  "find-turns-of-messages",
  `select ${TURN} from (
    select distinct event_id from chat_turn_messages
    where account_id = :accountId and message_id = any(:messageIds::uuid[])
    order by event_id desc limit ${MAX_TURNS}
  ) t
  join events e on e.account_id = :accountId and e.id = t.event_id and not e.internal and e.type = 'chat.turn'
  order by e.seq`,
);

/**
 * Returns the turns that contain these messages, oldest first, at most the newest 200. A turn is known as long as the
 * log has its event.
 */
export async function findTurnsOfMessages(ctx: Context, messageIds: readonly string[]): Promise<ChatTurn[]> {
  const rows = await sql.run(FIND_TURNS_OF_MESSAGES, { accountId: ctx.account.id, messageIds });
  return rows.map(toChatTurn);
}

function toChatTurn({ closed_at, ...turn }: RowOf<"list-chat-turns">): ChatTurn {
  return { ...turn, closed_at: closed_at.toISOString() };
}
