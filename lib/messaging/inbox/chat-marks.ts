import "server-only";
import { z } from "zod";
import { toTeam } from "@/lib/messaging/team/get-chat-team";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import type { ChatInboxState } from "@/lib/platform/prisma/enums";

/** Why the recipient of a direct chat can't, or may not want to be messaged. */
export const ChatMark = z.enum(["blocked", "opted_out", "near_miss"]);

interface MarkedChat {
  mark: z.infer<typeof ChatMark> | null;
  /** The person a chat is assigned to. */
  assignee: { id: string; name: string } | null;
  /** The team a chat is assigned to. */
  team: { id: string; name: string } | null;
  inboxState: ChatInboxState | null;
  snoozedUntil: Date | null;
}

type Row = RowOf<"chat-marks">;

const CHAT_MARKS = statement(
  "chat-marks",
  `select c.id, c.assigned_to, u.name as assignee, c.team_id, t.name as team, c.inbox_state, c.snoozed_until, case
    when k.blocked_at is not null then 'blocked'
    when k.opted_out_at is not null then 'opted_out'
    when exists (select from opt_out_hints h where h.account_id = :accountId and h.handle = c.recipient_handle
      and h.decided_at is null) then 'near_miss'
  end as "mark: 'opted_out' | 'blocked' | 'near_miss'"
  from unnest(:chatIds::uuid[]) as chat(id) join chats c on c.account_id = :accountId and c.id = chat.id
  left join contacts k on k.account_id = :accountId and k.handle = c.recipient_handle
  left join users u on u.id = c.assigned_to
  left join teams t on t.account_id = :accountId and t.id = c.team_id`,
);

/** Returns the marks, assignees, teams and states of chats, by chat id. Takes one statement. */
export async function selectChatMarks(
  ctx: Context,
  chatIds: readonly string[],
): Promise<Map<string, MarkedChat>> {
  if (chatIds.length === 0) return new Map();
  const rows = await sql.run(CHAT_MARKS, { accountId: ctx.account.id, chatIds });
  return new Map(
    rows.map((row) => [
      row.id,
      {
        mark: row.mark,
        assignee: toAssignee(row),
        team: toTeam(row),
        inboxState: row.inbox_state,
        snoozedUntil: row.snoozed_until,
      },
    ]),
  );
}

function toAssignee({ assigned_to, assignee }: Row): MarkedChat["assignee"] {
  return assigned_to === null ? null : { id: assigned_to, name: assignee ?? "A former member" };
}
