import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { isHeld, type LockedHold, lockHold } from "@/lib/messaging/team/lock-hold";
import { addTeamEntry } from "@/lib/messaging/team/team-entries";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

export const HandBackChat = contract({
  summary: "Hand a chat back to the API",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  status: 204,
  errors: ["chat_not_found", "access_denied"],
});

/**
 * Hands a chat back that the caller or a colleague took over. Leaves a chat that is not taken over as it is. Errors: as
 * `HandBackChat`.
 */
export async function handBackChat(
  ctx: Context,
  { params }: Pick<Input<typeof HandBackChat>, "params">,
): Promise<undefined> {
  await transaction(async (tx) => {
    const chat = await lockHold(tx, ctx, params.chatId);
    if (isHeld(chat, ctx.now)) await releaseHold(tx, ctx, chat, "by_hand");
  });
}

const HAND_BACK_CHAT = statement(
  "hand-back-chat",
  "update chats set held_by = null, held_at = null, held_until = null where account_id = :accountId and id = :chatId",
);

/** Ends the hold of a locked chat. */
export async function releaseHold(
  tx: Sql,
  ctx: Context,
  chat: Pick<LockedHold, "id" | "line_id" | "held_by">,
  reason: "by_hand" | "idle",
): Promise<void> {
  await tx.run(HAND_BACK_CHAT, { accountId: ctx.account.id, chatId: chat.id });
  await addTeamEntry(tx, ctx, { chat, kind: "handed_back", aboutId: chat.held_by });
  await recordAudit(tx, ctx, "chat.handed_back", "chat", chat.id, { reason, held_by: chat.held_by });
}
