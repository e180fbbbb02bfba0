import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { queueAction } from "@/lib/messaging/actions/queue-action";
import { EDITABLE_MINUTES, MAX_EDITS } from "@/lib/messaging/edits/edit-limits";
import { editText, eventIds } from "@/lib/messaging/edits/edit-text";
import { findMessage } from "@/lib/messaging/messages/find-message";
import { type LockedMessage, serviceOf, withMessage } from "@/lib/messaging/messages/locked-message";
import { Message, MessageParams } from "@/lib/messaging/messages/message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input, MESSAGE_BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_TEXT = 10_000;
const MAX_PARTS = 100;

export const EditMessage = contract({
  summary: "Edit a text part of a sent message",
  description:
    "Edits a text part of a message that you sent over iMessage. A message can be edited 5 times, within 15 minutes of sending; further edits fail with 2015. A `message.edited` event follows.",
  tag: "Messages",
  right: "send_messages",
  params: MessageParams,
  body: z
    .object({
      text: z.string().min(1).check(maxUnits(MAX_TEXT)).describe("The new text, 1 to 10000 characters."),
      part_index: z
        .int()
        .min(0)
        .max(MAX_PARTS - 1)
        .default(0)
        .describe("Index of the part to edit, starting at 0. Must be a text part. Defaults to 0."),
    })
    .meta({ examples: [{ text: "Your table is ready. See you at seven!", part_index: 0 }] }),
  bodyLimitBytes: MESSAGE_BODY_LIMIT_BYTES,
  returns: Message,
  status: 200,
  errors: [
    "field_missing",
    "parameter_invalid",
    "message_not_found",
    "access_denied",
    "chat_unavailable",
    "phone_not_e164",
    "line_restricted",
    "state_conflict",
    "service_not_supported",
  ],
});

/**
 * Edits a text part of an outbound message: immediately in Trunkline, as soon as possible on the phone. At most 5
 * edits, within 15 minutes of the original send (docs/contract.md, section 7.7). Errors: as `EditMessage`.
 */
export async function editMessage(ctx: Context, { params, body }: Input<typeof EditMessage>) {
  await withMessage(ctx, params.messageId, async (tx, message) => {
    checkEditable(ctx, message, body.part_index);
    await checkEditsLeft(tx, message);

    const edit = { partIndex: body.part_index, text: body.text, traceId: ctx.traceId, at: ctx.now };
    const edit_id = await editText(tx, message, edit);
    await queueAction(tx, {
      ...eventIds(message),
      kind: "edit",
      payload: { part: body.part_index, text: body.text, edit_id },
      traceId: ctx.traceId,
      at: ctx.now,
    });
    await recordAudit(tx, ctx, "message.edited", "message", message.id, { part_index: body.part_index });
  });
  return findMessage(ctx, params.messageId);
}

function checkEditable(ctx: Context, message: LockedMessage, partIndex: number): void {
  if (!message.is_from_me) fail("state_conflict", "only messages sent from this line can be edited");
  if (message.delivery_status === "failed")
    fail("state_conflict", "the message was not sent: send a new message");
  if (message.unsent_at !== null) fail("state_conflict", "the message was unsent: send a new message");
  const service = serviceOf(message);
  if (service !== null && service !== "iMessage") {
    fail("service_not_supported", `${service} messages can't be edited: send a new message`);
  }
  if (message.parts[partIndex]?.type !== "text") {
    fail("parameter_invalid", `part ${partIndex} is not a text part: only text parts can be edited`);
  }
  const sentAt = message.sent_at ?? message.created_at;
  if (ctx.now.getTime() - sentAt.getTime() > EDITABLE_MINUTES * 60_000) {
    fail("state_conflict", `a message can be edited for ${EDITABLE_MINUTES} minutes: send a new message`);
  }
}

const COUNT_MESSAGE_EDITS = statement(
  "count-message-edits",
  "select count(*)::int as edits from message_edits where account_id = :accountId and message_id = :messageId",
);

async function checkEditsLeft(tx: Sql, message: LockedMessage): Promise<void> {
  const [row] = await tx.run(COUNT_MESSAGE_EDITS, { accountId: message.account_id, messageId: message.id });
  if ((row?.edits ?? 0) >= MAX_EDITS) {
    fail("state_conflict", `a message can be edited ${MAX_EDITS} times: send a new message`);
  }
}
