import "server-only";
import { z } from "zod";
import { chatBlock } from "@/lib/events/store/event-blocks";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { describeChatChange, TIMELINE_EVENT_TYPES } from "@/lib/messaging/groups/describe-chat-change";
import { ChatNote } from "@/lib/messaging/team/chat-note";
import { listTeamEntries } from "@/lib/messaging/team/list-team-entries";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";

const MAX_EVENTS = 1000;

export const ListChatNotes = contract({
  summary: "List the events of a chat other than messages",
  tag: "Chats",
  right: "view_chats",
  params: z.object({ chatId: z.uuid() }),
  returns: z.object({ notes: z.array(ChatNote) }),
  status: 200,
  errors: ["chat_not_found", "access_denied"],
});

type Row = RowOf<"list-chat-notes">;

/**
 * Returns successful and failed changes of members, names, icons and backgrounds, and the outcomes of payment requests,
 * among the chat's newest events, and the team's newest entries; oldest first. Errors: chat_not_found, access_denied.
 */
export async function listChatNotes(
  ctx: Context,
  { params }: Pick<Input<typeof ListChatNotes>, "params">,
): Promise<{ notes: ChatNote[] }> {
  const [changes, entries] = await Promise.all([
    listChanges(ctx, params.chatId),
    listTeamEntries(ctx, params.chatId),
  ]);
  const notes = [...changes, ...entries];
  return { notes: notes.sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at)) };
}

const LIST_CHAT_NOTES = statement(
  "list-chat-notes",
  `with newest as (
    (select seq, id, type, data, created_at from events
      where account_id = :accountId and chat_id = :chatId and not internal
      order by ${chatBlock("seq")} desc, seq desc limit ${MAX_EVENTS})
    union all
    (select seq, id, type, data, created_at from events
      where account_id = :accountId and chat_id = :chatId and type = 'chat.action_failed' order by seq desc limit ${MAX_EVENTS})
    union all
    (select seq, id, type, data, created_at from events
      where account_id = :accountId and chat_id = :chatId and type like 'payment_request.%' order by seq desc limit ${MAX_EVENTS})
  )
  select e.id, e.type as "type!", e.data, e.created_at as "created_at!", s.latitude, s.longitude, s.position_at,
    coalesce(s.address, s.locality) as place
  from chats c left join newest e on e.type = any(:types::text[])
  left join lateral (
    select s.* from location_shares s
    where e.type = 'location.sharing.started' and s.account_id = :accountId and s.chat_id = :chatId
      and s.began_at = (e.data ->> 'began_at')::timestamptz limit 1
  ) s on true
  where c.account_id = :accountId and c.id = :chatId order by e.seq`,
);

async function listChanges(ctx: Context, chatId: string): Promise<ChatNote[]> {
  const rows = await sql.run(LIST_CHAT_NOTES, {
    accountId: ctx.account.id,
    chatId,
    types: TIMELINE_EVENT_TYPES,
  });
  if (rows.length === 0) return throwNotFoundOrDenied(chatId);

  return rows.flatMap(({ id, ...row }) => {
    if (id === null) return [];
    const text = describeChatChange(row.type, row.data);
    const created_at = row.created_at.toISOString();
    return [{ id, type: "event" as const, text, by: null, location: toLocation(row), created_at }];
  });
}

function toLocation({ latitude, longitude, place, position_at }: Omit<Row, "id">): ChatNote["location"] {
  if (latitude === null || longitude === null) return null;
  return { latitude, longitude, place, at: position_at?.toISOString() ?? null };
}
