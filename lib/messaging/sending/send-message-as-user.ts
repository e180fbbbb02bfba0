import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { findEarlierByKey } from "@/lib/messaging/scheduled/schedule-message";
import { dueTimeOf } from "@/lib/messaging/scheduled/send-at";
import { keepUnread } from "@/lib/messaging/sending/keep-unread";
import { acceptPrepared, prepareMessage } from "@/lib/messaging/sending/prepare-message";
import {
  acceptContent,
  repeatedMessage,
  SendMessage,
  sendMessage,
} from "@/lib/messaging/sending/send-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { requireRight } from "@/lib/platform/rights/role-rights";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_REASON = 500;

export const SendMessageAsUser = contract({
  ...SendMessage,
  summary: "Send a message to a chat in the dashboard",
  body: SendMessage.body.extend({
    /** The reason for overriding an opt-out, for the audit log. */
    override_reason: z.string().trim().min(1).check(maxUnits(MAX_REASON)).optional(),
    /** The newest message that the writer had seen, for a message that was held; null in an empty chat. */
    last_message_id: z.uuid().nullable().optional(),
  }),
});

type Sending = Pick<Input<typeof SendMessageAsUser>, "params" | "body">;

/**
 * As `sendMessage`, for a person in the dashboard, with the sender in the audit log. Only users who may decide on
 * opt-outs can override one, with a reason. The chat stays unread when the customer has written since `last_message_id`. Errors: as `SendMessage`; access_denied, field_missing.
 */
export async function sendMessageAsUser(ctx: Context, { params, body }: Sending) {
  const reason = body.override_optout ? requireReason(ctx, body.override_reason) : null;

  const { chatId } = params;
  if (body.send_at !== undefined) {
    if (reason !== null) fail("parameter_invalid", "send_at: an opt-out can't be overridden at a later time");
    const isLater = dueTimeOf(ctx, body.send_at) !== null;
    const earlier = isLater ? null : await findEarlierByKey(ctx, body.message.idempotency_key);
    if (earlier !== null) return repeatedMessage(ctx, earlier);
    if (isLater) return sendMessage(ctx, { params, query: undefined, body });
  }
  const prepared = await prepareMessage(ctx, body.message, { chatId });
  if (prepared.replayOf !== null) return repeatedMessage(ctx, prepared.replayOf);
  const accepting = transaction(async (tx) => {
    const accepted = await acceptContent(ctx, chatId, prepared, body.override_optout, tx);
    if (accepted.replayOf !== null) return accepted;
    if (reason !== null) await storeOverrideReason(tx, ctx, prepared.messageId, reason);
    if (body.last_message_id !== undefined) {
      const message = { chatId, messageId: prepared.messageId };
      await keepUnread(tx, ctx, message, { lastMessageId: body.last_message_id });
    }
    const detail = { chat_id: chatId, ...(reason !== null && { override_reason: reason }) };
    await recordAudit(tx, ctx, "message.sent", "message", accepted.message.id, detail);
    return accepted;
  });
  const sent = await acceptPrepared(prepared, accepting);

  if (sent.replayOf !== null) return repeatedMessage(ctx, sent.replayOf);
  return { chat_id: chatId, message: sent.message };
}

function requireReason(ctx: Context, reason: string | undefined): string {
  requireRight(ctx, "decide_opt_outs");
  return reason ?? fail("field_missing", "override_reason: enter the reason for overriding the opt-out");
}

const KEEP_OVERRIDE_REASON = statement(
  "keep-override-reason",
  "update opt_out_overrides set reason = :reason where account_id = :accountId and message_id = :messageId",
);

// An override exists only if the recipient was opted out when the message was accepted.
async function storeOverrideReason(tx: Sql, ctx: Context, messageId: string, reason: string): Promise<void> {
  await tx.run(KEEP_OVERRIDE_REASON, { accountId: ctx.account.id, messageId, reason });
}
