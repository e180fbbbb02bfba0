import "server-only";
import { z } from "zod";
import { transportOf } from "@/lib/adapters/transports/registry";
import { withTimeout } from "@/lib/adapters/with-timeout";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { AcceptedAction, toAcceptedAction } from "@/lib/messaging/chats/accepted-action";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { findUsableChat, type UsableChat } from "@/lib/messaging/chats/find-usable-chat";
import { queueChatAction } from "@/lib/messaging/chats/queue-chat-action";
import { requireGroup } from "@/lib/messaging/chats/require-group";
import { lockMembers } from "@/lib/messaging/groups/lock-members";
import { findAddError } from "@/lib/messaging/groups/member-rules";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { Handle } from "@/lib/platform/text/phone-handle";

const PROBE_MS = 5000;

export const AddParticipant = contract({
  summary: "Add a participant to a group",
  description:
    "Adds a participant to a group. The chat must be a group, and the new participant must support the service of the chat. A `participant.added` event reports the outcome. Counts as outbound activity.",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  body: z
    .object({ handle: Handle.describe("Phone number in E.164 format or email address of the participant.") })
    .meta({ examples: [{ handle: "+12025550177" }] }),
  returns: AcceptedAction,
  status: 202,
  errors: [
    "field_missing",
    "phone_not_e164",
    "chat_not_found",
    "access_denied",
    "chat_being_created",
    "chat_unavailable",
    "line_restricted",
    "group_required",
    "service_not_supported",
    "state_conflict",
  ],
});

/**
 * Queues the addition of a participant to a group of three or more. The participant must have the group's service;
 * participant.added follows (docs/contract.md, section 5.3). Counts as outbound activity. Errors: as `AddParticipant`.
 */
export async function addParticipant(ctx: Context, { params, body }: Input<typeof AddParticipant>) {
  const { handle } = body;
  const chat = await findUsableChat(ctx, params.chatId);
  await requireGroup(ctx, chat, "group_members");
  await requireService(ctx, chat, handle);

  await transaction(async (tx) => {
    const reason = findAddError(await lockMembers(tx, ctx, chat), handle);
    if (reason !== null) fail("state_conflict", reason);

    await recordActivity(tx, ctx, chat.id);
    await queueChatAction(tx, ctx, chat, { kind: "add_participant", payload: { handle } });
    await recordAudit(tx, ctx, "chat.participant_added", "chat", chat.id, { handle });
  });
  return toAcceptedAction(ctx, "Participant addition queued");
}

// When the participant's service is unknown, the transport reports it.
async function requireService(ctx: Context, chat: UsableChat, handle: string): Promise<void> {
  const service = chat.service ?? chat.line_type;
  const line = {
    accountId: ctx.account.id,
    id: chat.line_id,
    phoneNumber: chat.phone_number,
    lineType: chat.line_type,
  };
  const isMail = !handle.startsWith("+");
  const capability =
    isMail && service !== "iMessage"
      ? "no"
      : await withTimeout(PROBE_MS, () => transportOf(chat.transport).probe(line, handle, service)).catch(
          () => "unknown" as const,
        );
  if (capability === "no") fail("service_not_supported", `${handle} can't be reached over ${service}`);
}

const NOTE_CHAT_ACTIVITY = statement(
  "note-chat-activity",
  "update chats set last_activity_at = greatest(last_activity_at, :now) where account_id = :accountId and id = :chatId",
);

async function recordActivity(tx: Sql, ctx: Context, chatId: string): Promise<void> {
  await tx.run(NOTE_CHAT_ACTIVITY, { accountId: ctx.account.id, chatId, now: ctx.now });
}
