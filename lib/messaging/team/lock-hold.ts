import "server-only";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";

/** A chat with the person who took it over, locked. */
export type LockedHold = RowOf<"lock-hold">;

const LOCK_HOLD = statement(
  "lock-hold",
  `select id, line_id, left_at, held_by, held_until, assigned_to from chats
  where account_id = :accountId and id = :chatId for update`,
);

/**
 * Locks a chat against changes and sends. A send locks its chat for key share until it is committed, so this waits for
 * sends in flight, and later sends by API tokens see the new holder. Errors: chat_not_found, access_denied.
 */
export async function lockHold(tx: Sql, ctx: Context, chatId: string): Promise<LockedHold> {
  const [chat] = await tx.run(LOCK_HOLD, { accountId: ctx.account.id, chatId });
  return chat ?? throwNotFoundOrDenied(chatId);
}

/** Whether a person holds a chat now. */
export function isHeld({ held_until }: Pick<LockedHold, "held_until">, now: Date): boolean {
  return held_until !== null && held_until > now;
}
