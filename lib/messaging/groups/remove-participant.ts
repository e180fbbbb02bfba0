import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { toAcceptedAction } from "@/lib/messaging/chats/accepted-action";
import { findUsableChat } from "@/lib/messaging/chats/find-usable-chat";
import { queueChatAction } from "@/lib/messaging/chats/queue-chat-action";
import { requireGroup } from "@/lib/messaging/chats/require-group";
import { AddParticipant } from "@/lib/messaging/groups/add-participant";
import { lockMembers } from "@/lib/messaging/groups/lock-members";
import { findRemoveError } from "@/lib/messaging/groups/member-rules";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import { Handle } from "@/lib/platform/text/phone-handle";

export const RemoveParticipant = contract({
  ...AddParticipant,
  summary: "Remove a participant from a group",
  description:
    "Removes a participant from a group. At least three participants must remain. You cannot remove your own line; leave the chat instead. A `participant.removed` event reports the outcome.",
});

export const RemoveNamedParticipant = contract({
  ...AddParticipant,
  summary: "Remove the participant in the path from a group",
  description:
    "Same as `DELETE /v3/chats/{chatId}/participants`, with the participant in the path instead of the body.",
  params: AddParticipant.params.extend({ handle: Handle }),
  body: undefined,
  extension: true,
});

/** As `removeParticipant`, for clients that name the participant in the path. Errors: as `RemoveParticipant`. */
export function removeNamedParticipant(
  ctx: Context,
  { params: { chatId, handle } }: Pick<Input<typeof RemoveNamedParticipant>, "params">,
) {
  return removeParticipant(ctx, { params: { chatId }, query: undefined, body: { handle } });
}

/**
 * Queues the removal of another participant from a group; three must remain. participant.removed follows, and the
 * participant remains in the list of handles (docs/contract.md, section 5.3). Errors: as `RemoveParticipant`.
 */
export async function removeParticipant(ctx: Context, { params, body }: Input<typeof RemoveParticipant>) {
  const { handle } = body;
  const chat = await findUsableChat(ctx, params.chatId);
  await requireGroup(ctx, chat, "group_members");

  await transaction(async (tx) => {
    const reason = findRemoveError(await lockMembers(tx, ctx, chat), handle);
    if (reason !== null) fail("state_conflict", reason);

    await queueChatAction(tx, ctx, chat, { kind: "remove_participant", payload: { handle } });
    await recordAudit(tx, ctx, "chat.participant_removed", "chat", chat.id, { handle });
  });
  return toAcceptedAction(ctx, "Participant removal queued");
}
