import "server-only";
import { z } from "zod";
import { transportOf } from "@/lib/adapters/transports/registry";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { queueAction } from "@/lib/messaging/actions/queue-action";
import { eventIds } from "@/lib/messaging/edits/edit-text";
import { type LockedMessage, serviceOf, withMessage } from "@/lib/messaging/messages/locked-message";
import { MessageParams } from "@/lib/messaging/messages/message";
import { isTooLate, UNSENDABLE_MINUTES } from "@/lib/messaging/unsends/unsend-limits";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const UnsendMessage = contract({
  summary: "Unsend a message",
  description: `Takes back a message that you sent over iMessage at most ${UNSENDABLE_MINUTES} minutes ago: it disappears from the recipients' devices, which show that a message was unsent. A \`message.unsent\` event follows when the service did so. Repeating the request is safe. Later requests fail with 2015; SMS, RCS and lines that can't unsend fail with 2017. Trunkline keeps its record of the message. A Trunkline extension.`,
  tag: "Messages",
  right: "send_messages",
  params: MessageParams,
  returns: z
    .object({
      status: z.literal("accepted").describe("Always `accepted`."),
      message: z.string().describe("Description of the queued action, in English."),
      trace_id: z.string().describe("Trace ID of the request, the same as in the `X-Trace-ID` header."),
    })
    .meta({
      id: "UnsendAccepted",
      description: "Confirms that a request to unsend a message was accepted.",
      examples: [
        { status: "accepted", message: "Unsend queued", trace_id: "4bf92f3577b34da6a3ce929d0e0e4736" },
      ],
    }),
  status: 202,
  errors: [
    "parameter_invalid",
    "message_not_found",
    "access_denied",
    "chat_unavailable",
    "phone_not_e164",
    "line_restricted",
    "state_conflict",
    "service_not_supported",
  ],
  extension: true,
});

/**
 * Unsends an outbound iMessage message, within two minutes of its send. A message that is being sent is unsent after its
 * send. A repeat is accepted and does nothing (docs/contract.md, section 7.7). Errors: as `UnsendMessage`.
 */
export async function unsendMessage(ctx: Context, { params }: Pick<Input<typeof UnsendMessage>, "params">) {
  await withMessage(ctx, params.messageId, async (tx, message) => {
    if (message.unsent_at !== null || (await isUnsending(tx, message))) return;
    checkUnsendable(ctx, message);

    await queueAction(tx, {
      ...eventIds(message),
      kind: "unsend",
      payload: {},
      traceId: ctx.traceId,
      at: ctx.now,
    });
    await recordAudit(tx, ctx, "message.unsent", "message", message.id);
  });
  return { status: "accepted" as const, message: "Unsend queued", trace_id: ctx.traceId };
}

const FIND_PENDING_UNSEND = statement(
  "find-pending-unsend",
  `select from chat_actions
  where account_id = :accountId and chat_id = :chatId and message_id = :messageId and kind = 'unsend' limit 1`,
);

async function isUnsending(tx: Sql, message: LockedMessage): Promise<boolean> {
  const { account_id: accountId, chat_id: chatId, id: messageId } = message;
  return (await tx.run(FIND_PENDING_UNSEND, { accountId, chatId, messageId })).length > 0;
}

function checkUnsendable(ctx: Context, message: LockedMessage): void {
  if (!message.is_from_me) fail("state_conflict", "only messages sent from this line can be unsent");
  if (message.delivery_status === "failed") fail("state_conflict", "the message was not sent");
  const service = serviceOf(message);
  if (service !== null && service !== "iMessage") {
    fail("service_not_supported", `${service} messages can't be unsent`);
  }
  if (!transportOf(message.transport).caps("iMessage").has("unsend")) {
    fail("service_not_supported", "this line can't unsend messages");
  }
  if (message.sent_at !== null && isTooLate(message.sent_at, ctx.now)) {
    fail("state_conflict", `a message can be unsent for ${UNSENDABLE_MINUTES} minutes`);
  }
}
