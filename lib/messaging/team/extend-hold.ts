import "server-only";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const EXTEND_HOLD = statement(
  "extend-hold",
  `update chats set held_until = :now::timestamptz + make_interval(mins => :takeOverMinutes)
  where account_id = :accountId and id = :chatId and held_by = :userId and held_until > :now`,
);

/** After a message from the person who holds a chat, the chat stays with that person for another idle period. */
export async function extendHold(tx: Sql, ctx: Context, chatId: string): Promise<void> {
  if (ctx.actor.type !== "user") return;
  const { take_over_minutes } = await findAccountOptions(ctx.account.id);
  if (take_over_minutes === null) return;
  await tx.run(EXTEND_HOLD, {
    accountId: ctx.account.id,
    chatId,
    userId: ctx.actor.userId,
    now: ctx.now,
    takeOverMinutes: take_over_minutes,
  });
}
