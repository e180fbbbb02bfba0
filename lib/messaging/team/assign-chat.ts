import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { addTeamEntry } from "@/lib/messaging/team/team-entries";
import { requireMembers } from "@/lib/messaging/team/team-member";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

export const AssignChat = contract({
  summary: "Assign a chat to a person",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  /** null removes the assignment. */
  body: z.object({ user_id: z.uuid().nullable() }),
  status: 204,
  errors: ["chat_not_found", "access_denied", "parameter_invalid"],
});

const LOCK_ASSIGNMENT = statement(
  "lock-assignment",
  `select id, line_id, assigned_to from chats where account_id = :accountId and id = :chatId for no key update`,
);

const ASSIGN_CHAT = statement(
  "assign-chat",
  "update chats set assigned_to = :userId, inbox_state = coalesce(inbox_state, 'open') where account_id = :accountId and id = :chatId",
);

/**
 * Assigns a chat to a person of the team, or removes the assignment. The same assignment again changes nothing. A chat in
 * which the customer has not written yet is open from then on. Errors: as `AssignChat`; parameter_invalid for a person
 * outside the team.
 */
export async function assignChat(
  ctx: Context,
  { params, body }: Pick<Input<typeof AssignChat>, "params" | "body">,
): Promise<undefined> {
  const { user_id: userId } = body;
  await transaction(async (tx) => {
    if (userId !== null) await requireMembers(tx, ctx, [userId]);
    const [chat] = await tx.run(LOCK_ASSIGNMENT, { accountId: ctx.account.id, chatId: params.chatId });
    if (chat === undefined) return throwNotFoundOrDenied(params.chatId);
    if (chat.assigned_to === userId) return;
    await tx.run(ASSIGN_CHAT, { accountId: ctx.account.id, chatId: chat.id, userId });
    await addTeamEntry(tx, ctx, { chat, kind: "assigned", aboutId: userId });
    await recordAudit(tx, ctx, "chat.assigned", "chat", chat.id, { from: chat.assigned_to, to: userId });
  });
}
