import "server-only";
import { getAccountOptions } from "@/lib/identity/accounts/get-account-options";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";

/** After a message from the person who holds a chat, the chat stays with that person for another idle period. */
export async function extendHold(tx: Sql, ctx: Context, chatId: string): Promise<void> {
  if (ctx.actor.type !== "user") return;
  const { take_over_minutes } = await getAccountOptions(ctx.account.id);
  if (take_over_minutes === null) return;
  await tx.query({
    name: "extend-hold",
    text: `update chats set held_until = $4::timestamptz + make_interval(mins => $5)
           where account_id = $1 and id = $2 and held_by = $3 and held_until > $4`,
    values: [ctx.account.id, chatId, ctx.actor.userId, ctx.now, take_over_minutes],
  });
}
