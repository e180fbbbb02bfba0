import "server-only";
import { z } from "zod";
import type { ActionFailure, ActionRequest } from "@/lib/messaging/actions/action-kind";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import { changedBy, deferUntilCreated } from "@/lib/messaging/chats/change-by-action";
import { recordActionFailed } from "@/lib/messaging/chats/change-chat";
import { lockChat } from "@/lib/messaging/chats/lock-chat";
import { addMember, removeMember } from "@/lib/messaging/groups/change-members";
import { type Sql, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const Payload = z.object({ handle: z.string() });

type Ended = { action: ClaimedAction; payload: z.infer<typeof Payload>; at: Date };

/** Adds a participant to a group. */
export const addParticipantAction = {
  payload: Payload,
  buildRequest: (action: ClaimedAction, { handle }: z.infer<typeof Payload>) =>
    deferUntilCreated(action, { type: "add_participant", handle }),
  done: (tx: Sql, { action, payload, at }: Ended) => addMember(tx, changedBy(action, at), payload.handle),
  failed: recordMemberFailure,
};

/** Removes a participant from a group. */
export const removeParticipantAction = {
  payload: Payload,
  buildRequest: (action: ClaimedAction, { handle }: z.infer<typeof Payload>) =>
    deferUntilCreated(action, { type: "remove_participant", handle }),
  done: (tx: Sql, { action, payload, at }: Ended) =>
    removeMember(tx, changedBy(action, at), payload.handle, "removed"),
  failed: recordMemberFailure,
};

const REOPEN_CHAT = statement(
  "reopen-chat",
  `update chats c set left_at = null where c.account_id = :accountId and c.id = :chatId and exists (
  select from participants p
  where p.account_id = c.account_id and p.chat_id = c.id and p.is_me and p.status = 'active')`,
);

/** Makes the line leave a group after its pending messages have been sent. */
export const leaveAction = {
  payload: z.object({}),
  buildRequest: async (action: ClaimedAction): Promise<ActionRequest> =>
    (await isSending(action)) ? "later" : deferUntilCreated(action, { type: "leave" }),
  done: (tx: Sql, { action, at }: { action: ClaimedAction; at: Date }) =>
    removeMember(tx, changedBy(action, at), action.phone_number, "left"),
  async failed(tx: Sql, { action, at, error, reason }: { action: ClaimedAction; at: Date } & ActionFailure) {
    // The line may have been removed meanwhile, or released.
    await lockChat(tx, { accountId: action.account_id, chatId: action.chat_id });
    await tx.run(REOPEN_CHAT, { accountId: action.account_id, chatId: action.chat_id });
    await recordActionFailed(tx, changedBy(action, at), { kind: action.kind, error, reason });
  },
};

async function recordMemberFailure(tx: Sql, { action, payload, at, error, reason }: Ended & ActionFailure) {
  const failed = { kind: action.kind, handle: payload.handle, error, reason };
  await recordActionFailed(tx, changedBy(action, at), failed);
}

const CHAT_IS_SENDING = statement(
  "chat-is-sending",
  `select id from messages
  where account_id = :accountId and line_id = :lineId and chat_id = :chatId and dispatch_at is not null
    and position < :position limit 1`,
);

async function isSending(action: ClaimedAction): Promise<boolean> {
  const waiting = await sql.run(CHAT_IS_SENDING, {
    accountId: action.account_id,
    lineId: action.line_id,
    chatId: action.chat_id,
    position: action.position,
  });
  return waiting.length > 0;
}
