import "server-only";
import type { ChangedChat } from "@/lib/messaging/chats/change-chat";
import { MAX_TURN_MESSAGES, TYPING_MS } from "@/lib/messaging/turns/turn-statement";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const HOLD_TURNS = statement(
  "hold-turns",
  `update chat_turns set typing_until = :typingUntil::timestamptz, lease_until = null,
    due_at = least(closes_at, greatest(quiet_until, :typingUntil::timestamptz, :at::timestamptz))
  where account_id = :accountId and chat_id = :chatId and handle = :handle and not is_recovered
    and answered_count is null and cardinality(message_ids) < ${MAX_TURN_MESSAGES}`,
);

/**
 * Keeps the person's open turns of the chat open while the person types: until they stop, or are silent for 6 seconds.
 * The maximum of a turn still applies.
 */
export async function holdTurns(
  tx: Sql,
  { accountId, chatId, at }: ChangedChat,
  { handle, isTyping }: { handle: string; isTyping: boolean },
): Promise<void> {
  const typingUntil = isTyping ? new Date(at.getTime() + TYPING_MS) : null;
  await tx.run(HOLD_TURNS, { accountId, chatId, handle, typingUntil, at });
  tx.wake("turns");
}
