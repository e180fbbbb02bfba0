import "server-only";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import type { Attention } from "@/lib/runtime/dashboard/rows/attention";

/** More chats are found by their notices. */
const MAX_ROWS = 10;

const CHATS_ON_HOLD = statement(
  "chats-on-hold",
  `select c.id from chats c join accounts a on a.id = c.account_id
  where c.account_id = :accountId and c.loop_held_at is not null and c.loop_held_until > :now
    and a.loop_exchanges is not null
  order by c.loop_held_at desc, c.id limit ${MAX_ROWS}`,
);

/** The chats that are on hold for API sends, because two programs answer each other. */
export async function checkChatsOnHold(ctx: Context): Promise<Attention[]> {
  const rows = await sql.run(CHATS_ON_HOLD, { accountId: ctx.account.id, now: ctx.now });
  return rows.map(({ id }) => ({
    id: `loop-${id}`,
    type: "loop",
    severity: "warning",
    title: "A chat is on hold: two programs seem to answer each other",
    detail: "API sends to the chat fail with error 2015. Stop the loop, then resume the sends in the chat.",
    href: `/chats/${id}`,
    action: "View chat",
  }));
}
