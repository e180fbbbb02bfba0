import "server-only";
import { z } from "zod";
import { actorId } from "@/lib/identity/audit/record-audit";
import { INBOX_VIEWS, ofMyTeams } from "@/lib/messaging/inbox/chat-conditions";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { MAX_COUNTED_ROWS } from "@/lib/platform/lists/total-of";

const count = z.int().max(MAX_COUNTED_ROWS);

/** The chats of each view of the inbox. 1000 means 1000 or more. Closed chats are not counted: no one works them off. */
export const InboxCounts = z.object({
  needs_reply: count,
  unassigned: count,
  /** Of the caller. */
  mine: count,
  /** Of the teams of the caller; null = the caller is in none. */
  my_teams: count.nullable(),
  snoozed: count,
  unread: count,
});

export type InboxCounts = z.infer<typeof InboxCounts>;

export const GetInboxCounts = contract({
  summary: "Count the chats of each view",
  tag: "Chats",
  right: "view_chats",
  returns: InboxCounts,
  status: 200,
  errors: [],
});

// Each view is the condition of an index, so a count reads at most 1000 of its entries.
function bounded(condition: string): string {
  return `(select count(*)::int from (
    select from chats c where c.account_id = :accountId and ${condition} limit ${MAX_COUNTED_ROWS}) counted)`;
}

const COUNT_INBOX = statement(
  "count-inbox",
  `select ${bounded(INBOX_VIEWS.needs_reply)} as "needs_reply!", ${bounded(INBOX_VIEWS.unassigned)} as "unassigned!",
    ${bounded(`${INBOX_VIEWS.assigned} and c.assigned_to = :userId`)} as "mine!",
    case when exists (select from team_members m where m.account_id = :accountId and m.user_id = :userId)
      then ${bounded(ofMyTeams(":accountId", ":userId"))} end as my_teams,
    ${bounded(INBOX_VIEWS.snoozed)} as "snoozed!", ${bounded(INBOX_VIEWS.unread)} as "unread!"`,
);

/** Returns how many chats each view of the inbox has. Takes one statement. */
export async function getInboxCounts(ctx: Context): Promise<InboxCounts> {
  const [counts] = await sql.run(COUNT_INBOX, { accountId: ctx.account.id, userId: actorId(ctx.actor) });
  if (counts === undefined) throw new Error("a statement without a table returned no row");
  return counts;
}
