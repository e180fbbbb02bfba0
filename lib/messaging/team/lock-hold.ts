import "server-only";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";

/** A chat with the person who took it over, locked. */
export interface LockedHold {
  id: string;
  line_id: string;
  left_at: Date | null;
  held_by: string | null;
  held_until: Date | null;
}

/**
 * Locks a chat against changes and sends. A send locks its chat for key share until it is committed, so this waits for
 * sends in flight, and later sends by API tokens see the new holder. Errors: chat_not_found, access_denied.
 */
export async function lockHold(tx: Sql, ctx: Context, chatId: string): Promise<LockedHold> {
  const [chat] = await tx.query<LockedHold>({
    name: "lock-hold",
    text: `select id, line_id, left_at, held_by, held_until from chats
           where account_id = $1 and id = $2 for update`,
    values: [ctx.account.id, chatId],
  });
  return chat ?? throwNotFoundOrDenied(chatId);
}

/** Whether a person holds a chat now. */
export function isHeld({ held_until }: Pick<LockedHold, "held_until">, now: Date): boolean {
  return held_until !== null && held_until > now;
}
