import "server-only";
import { getAccountOptions } from "@/lib/identity/accounts/get-account-options";
import { actorId, recordAudit } from "@/lib/identity/audit/record-audit";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { isHeld, lockHold } from "@/lib/messaging/team/lock-hold";
import { addTeamEntry, emitTeamChange } from "@/lib/messaging/team/team-entries";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

export const TakeOverChat = contract({
  summary: "Take over a chat from the API",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  status: 204,
  errors: ["chat_not_found", "access_denied", "chat_unavailable", "feature_not_available"],
});

/**
 * Takes over a chat: until the person hands it back, or sends nothing for the account's `take_over_minutes`, sends by
 * API tokens fail with 2015. Sends that were accepted before are unaffected, and none is accepted afterwards. Taking
 * over a chat that another person holds moves it to the caller; taking over one's own chat extends the time. Errors: as
 * `TakeOverChat`.
 */
export async function takeOverChat(
  ctx: Context,
  { params }: Pick<Input<typeof TakeOverChat>, "params">,
): Promise<undefined> {
  const { take_over_minutes } = await getAccountOptions(ctx.account.id);
  if (take_over_minutes === null) {
    fail("feature_not_available", "taking over chats is off: an admin can turn it on in Settings");
  }
  await transaction(async (tx) => {
    const chat = await lockHold(tx, ctx, params.chatId);
    if (chat.left_at !== null) fail("chat_unavailable", "this line has left the chat");
    const userId = actorId(ctx.actor);
    const wasOurs = isHeld(chat, ctx.now) && chat.held_by === userId;
    await tx.query({
      name: "take-over-chat",
      text: `update chats set held_by = $3, held_at = case when $6 then held_at else $4 end,
               held_until = $4::timestamptz + make_interval(mins => $5)
             where account_id = $1 and id = $2`,
      values: [ctx.account.id, chat.id, userId, ctx.now, take_over_minutes, wasOurs],
    });
    const from = isHeld(chat, ctx.now) ? chat.held_by : null;
    if (wasOurs) await emitTeamChange(tx, ctx, chat);
    else await addTeamEntry(tx, ctx, { chat, kind: "taken_over", aboutId: from });
    const action = wasOurs ? "chat.take_over_extended" : "chat.taken_over";
    await recordAudit(tx, ctx, action, "chat", chat.id, { minutes: take_over_minutes, from });
  });
}
