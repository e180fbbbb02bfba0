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

/**
 * Assigns a chat to a person of the team, or removes the assignment. The same assignment again changes nothing. Errors:
 * as `AssignChat`; parameter_invalid for a person outside the team.
 */
export async function assignChat(
  ctx: Context,
  { params, body }: Pick<Input<typeof AssignChat>, "params" | "body">,
): Promise<undefined> {
  const { user_id: userId } = body;
  await transaction(async (tx) => {
    if (userId !== null) await requireMembers(tx, ctx, [userId]);
    const [chat] = await tx.query<{ id: string; line_id: string; assigned_to: string | null }>({
      name: "lock-assignment",
      text: `select id, line_id, assigned_to from chats where account_id = $1 and id = $2 for no key update`,
      values: [ctx.account.id, params.chatId],
    });
    if (chat === undefined) return throwNotFoundOrDenied(params.chatId);
    if (chat.assigned_to === userId) return;
    await tx.query({
      name: "assign-chat",
      text: "update chats set assigned_to = $3 where account_id = $1 and id = $2",
      values: [ctx.account.id, chat.id, userId],
    });
    await addTeamEntry(tx, ctx, { chat, kind: "assigned", aboutId: userId });
    await recordAudit(tx, ctx, "chat.assigned", "chat", chat.id, { from: chat.assigned_to, to: userId });
  });
}
