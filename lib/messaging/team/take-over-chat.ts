import "server-only";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import { actorId, recordAudit } from "@/lib/identity/audit/record-audit";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { isHeld, lockHold } from "@/lib/messaging/team/lock-hold";
import { addTeamEntry, emitTeamChange } from "@/lib/messaging/team/team-entries";
import { endTeamNotice } from "@/lib/messaging/team/team-notice";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const TakeOverChat = contract({
  summary: "Take over a chat from the API",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  status: 204,
  errors: ["chat_not_found", "access_denied", "chat_unavailable", "feature_not_available"],
});

const TAKE_OVER_CHAT = statement(
  "take-over-chat",
  `update chats set held_by = :userId, held_at = case when :wasOurs then held_at else :now end,
    held_until = :now::timestamptz + make_interval(mins => :takeOverMinutes),
    assigned_to = :userId, inbox_state = 'open', snoozed_until = null
  where account_id = :accountId and id = :chatId`,
);

/**
 * Takes over a chat: until the person hands it back, or sends nothing for the account's `take_over_minutes`, sends by
 * API tokens fail with 2015. Sends that were accepted before are unaffected, and none is accepted afterwards. Taking
 * over a chat that another person holds moves it to the caller; taking over one's own chat extends the time. The chat is
 * assigned to the caller and open, and stays with its team. Errors: as `TakeOverChat`.
 */
export async function takeOverChat(
  ctx: Context,
  { params }: Pick<Input<typeof TakeOverChat>, "params">,
): Promise<undefined> {
  const { take_over_minutes } = await findAccountOptions(ctx.account.id);
  if (take_over_minutes === null) {
    fail("feature_not_available", "taking over chats is off: an admin can turn it on in Settings");
  }
  await transaction(async (tx) => {
    const chat = await lockHold(tx, ctx, params.chatId);
    if (chat.left_at !== null) fail("chat_unavailable", "this line has left the chat");
    const userId = actorId(ctx.actor);
    const wasOurs = isHeld(chat, ctx.now) && chat.held_by === userId;
    await tx.run(TAKE_OVER_CHAT, {
      accountId: ctx.account.id,
      chatId: chat.id,
      userId,
      now: ctx.now,
      takeOverMinutes: take_over_minutes,
      wasOurs,
    });
    const from = isHeld(chat, ctx.now) ? chat.held_by : null;
    if (wasOurs) await emitTeamChange(tx, ctx, chat);
    else await addTeamEntry(tx, ctx, { chat, kind: "taken_over", aboutId: from });
    const action = wasOurs ? "chat.take_over_extended" : "chat.taken_over";
    await recordAudit(tx, ctx, action, "chat", chat.id, { minutes: take_over_minutes, from });
    if (chat.assigned_to !== userId) {
      await endTeamNotice(tx, ctx, chat.id);
      await recordAudit(tx, ctx, "chat.assigned", "chat", chat.id, { from: chat.assigned_to, to: userId });
    }
  });
}
