import "server-only";
import { z } from "zod";
import { chatBlock } from "@/lib/events/event-blocks";
import { describeChatChange, TIMELINE_EVENT_TYPES } from "@/lib/messaging/chats/describe-chat-change";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/db";

const MAX_EVENTS = 1000;

/** A change of a chat in the dashboard's timeline, shown between messages. */
export const ChatNote = z.object({ id: z.uuid(), text: z.string(), created_at: z.iso.datetime() });

export type ChatNote = z.infer<typeof ChatNote>;

export const ListChatNotes = contract({
  summary: "List the events of a chat other than messages",
  tag: "Chats",
  right: "view_chats",
  params: z.object({ chatId: z.uuid() }),
  returns: z.object({ notes: z.array(ChatNote) }),
  status: 200,
  errors: ["chat_not_found", "access_denied"],
});

interface Row {
  id: string | null;
  type: string;
  data: unknown;
  created_at: Date;
}

/**
 * Returns successful and failed changes of members, names, icons and backgrounds, and the outcomes of payment requests,
 * among the chat's newest events; oldest first. Errors: chat_not_found, access_denied.
 */
export async function listChatNotes(
  ctx: Context,
  { params }: Pick<Input<typeof ListChatNotes>, "params">,
): Promise<{ notes: ChatNote[] }> {
  const rows = await sql.query<Row>({
    name: "list-chat-notes",
    text: `with newest as (
             (select seq, id, type, data, created_at from events
               where account_id = $1 and chat_id = $2 and not internal
               order by ${chatBlock("seq")} desc, seq desc limit ${MAX_EVENTS})
             union all
             (select seq, id, type, data, created_at from events
               where account_id = $1 and chat_id = $2 and type = 'chat.action_failed' order by seq desc limit ${MAX_EVENTS})
             union all
             (select seq, id, type, data, created_at from events
               where account_id = $1 and chat_id = $2 and type like 'payment_request.%' order by seq desc limit ${MAX_EVENTS})
           )
           select e.id, e.type, e.data, e.created_at
           from chats c left join newest e on e.type = any($3::text[])
           where c.account_id = $1 and c.id = $2 order by e.seq`,
    values: [ctx.account.id, params.chatId, TIMELINE_EVENT_TYPES],
  });
  if (rows.length === 0) return throwNotFoundOrDenied(params.chatId);

  const notes = rows.flatMap(({ id, type, data, created_at }) =>
    id === null ? [] : [{ id, text: describeChatChange(type, data), created_at: created_at.toISOString() }],
  );
  return { notes };
}
