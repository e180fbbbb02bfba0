import "server-only";
import { z } from "zod";
import type { ActionFailure } from "@/lib/messaging/actions/action-kind";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import { changedBy } from "@/lib/messaging/chats/change-by-action";
import { recordActionFailed } from "@/lib/messaging/chats/change-chat";
import { undoEdit } from "@/lib/messaging/edits/undo-edit";
import { lockMessage } from "@/lib/messaging/messages/locked-message";
import { requestForMessage } from "@/lib/messaging/messages/request-for-message";
import type { Sql } from "@/lib/platform/database/db";

const EditPayload = z.object({
  part: z.int(),
  text: z.string(),
  /** The previous text, as stored. Actions of earlier versions have none. */
  edit_id: z.uuid().optional(),
});

type Failed = { action: ClaimedAction; payload: z.infer<typeof EditPayload>; at: Date } & ActionFailure;

/** Edits a text part of an outbound message. A rejection by the network is recorded, and the text is restored. */
export const editAction = {
  payload: EditPayload,
  buildRequest: (action: ClaimedAction, { part, text }: z.infer<typeof EditPayload>) =>
    requestForMessage(action, (ref) => ({ type: "edit", ref, part, text })),
  async failed(tx: Sql, { action, payload, at, error, reason }: Failed) {
    await recordActionFailed(tx, changedBy(action, at), { kind: action.kind, error, reason });
    // While it is unknown whether the phone has the edit, the edited text stays.
    if (error === "send_timed_out" || payload.edit_id === undefined) return;
    const message = await lockMessage(tx, action.account_id, action.message_id ?? "");
    // A message that has not been sent yet is sent with its current text.
    if (message === null || message.sent_at === null) return;
    await undoEdit(tx, message, {
      editId: payload.edit_id,
      partIndex: payload.part,
      text: payload.text,
      traceId: action.trace_id,
      at,
    });
  },
};
