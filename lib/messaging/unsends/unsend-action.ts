import "server-only";
import { z } from "zod";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import type { ActionFailure, ActionRequest } from "@/lib/messaging/actions/action-kind";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import { changedBy } from "@/lib/messaging/chats/change-by-action";
import { recordActionFailed } from "@/lib/messaging/chats/change-chat";
import { eventIds } from "@/lib/messaging/edits/edit-text";
import { chatEventData, lockMessage } from "@/lib/messaging/messages/locked-message";
import { plainRefSql } from "@/lib/messaging/messages/vendor-ref";
import { UNSEND_EVENTS } from "@/lib/messaging/unsends/unsend-events";
import { isTooLate } from "@/lib/messaging/unsends/unsend-limits";
import { type Sql, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const UnsendPayload = z.object({});

type Done = { action: ClaimedAction; payload: z.infer<typeof UnsendPayload>; at: Date };

/** Unsends an outbound message on the recipients' phones. */
export const unsendAction = {
  payload: UnsendPayload,
  buildRequest,

  /** Marks the message and reports it, once. */
  async done(tx: Sql, { action, at }: Done) {
    const message = await lockMessage(tx, action.account_id, action.message_id ?? "");
    if (message === null || message.unsent_at !== null) return;
    await tx.run(MARK_UNSENT, { accountId: message.account_id, id: message.id, at });
    const data = {
      message: { id: message.id, is_from_me: message.is_from_me },
      chat: chatEventData(message),
      owner_handle: message.me,
      sender_handle: message.sender,
      unsent_at: at.toISOString(),
    };
    const origin = { ...eventIds(message), traceId: action.trace_id, at };
    await emitEvents(tx, [newEvent(UNSEND_EVENTS["message.unsent"], origin, data)]);
  },

  async failed(tx: Sql, { action, at, error, reason }: Done & ActionFailure) {
    await recordActionFailed(tx, changedBy(action, at), { kind: action.kind, error, reason });
  },
};

const MARK_UNSENT = statement(
  "mark-unsent",
  "update messages set unsent_at = :at, updated_at = :at where account_id = :accountId and id = :id",
);

const FIND_SENT_PARTS = statement(
  "find-sent-parts",
  `select m.delivery_status, m.sent_at, m.service, greatest(jsonb_array_length(m.parts), 1) as "parts!",
    array(select ${plainRefSql("r.ref")} from transport_refs r
      where r.account_id = m.account_id and r.message_id = m.id order by r.ref) as "refs!: string[]"
  from messages m where m.account_id = :accountId and m.id = :messageId and m.deleted_at is null`,
);

/** `later` while the message is being sent, `nothing` when it never will be or was deleted. */
async function buildRequest(action: ClaimedAction): Promise<ActionRequest> {
  const { account_id: accountId, message_id: messageId } = action;
  const [message] = await sql.run(FIND_SENT_PARTS, { accountId, messageId });
  if (message === undefined || message.delivery_status === "failed") return "nothing";
  if (message.refs.length === 0 || message.sent_at === null) return "later";
  if (message.service !== null && message.service !== "iMessage") {
    return { error: "service_not_supported", reason: `the message went out over ${message.service}` };
  }
  // An attempt whose outcome is unknown may have unsent it: the next one asks the vendor, however late.
  const isFirst = action.attempts - action.waits <= 1;
  if (isFirst && isTooLate(message.sent_at, now())) {
    return { error: "state_conflict", reason: "the time to unsend the message has passed" };
  }
  return { type: "unsend", refs: message.refs, parts: message.parts };
}
