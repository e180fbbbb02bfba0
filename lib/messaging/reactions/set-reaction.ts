import "server-only";
import { z } from "zod";
import { recordUserChange } from "@/lib/identity/audit/record-audit";
import { queueAction } from "@/lib/messaging/actions/queue-action";
import { chatLacksIMessage } from "@/lib/messaging/chats/lacks-imessage";
import { eventIds } from "@/lib/messaging/edits/edit-text";
import { type LockedMessage, serviceOf, withMessage } from "@/lib/messaging/messages/locked-message";
import { MessageParams } from "@/lib/messaging/messages/message";
import { changeReaction, type ReactionChange } from "@/lib/messaging/reactions/change-reaction";
import type { ReactPayload } from "@/lib/messaging/reactions/reaction-actions";
import { ReactionBody } from "@/lib/messaging/reactions/reaction-body";
import { resolveSticker } from "@/lib/messaging/reactions/resolve-sticker";
import { firstPlacement, movePlacement } from "@/lib/messaging/reactions/sticker-placement";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors/errors";

/** The response to a change that reaches the phones as soon as they are reachable (docs/contract.md, section 1.3). */
export const Ack = z
  .object({
    status: z.literal("accepted").describe("Always `accepted`."),
    message: z.string().describe("Description of the queued action, in English."),
    trace_id: z.string().describe("Trace ID of the request, the same as in the `X-Trace-ID` header."),
  })
  .meta({
    id: "ReactionAccepted",
    description: "Confirms that a reaction was accepted.",
    examples: [
      { status: "accepted", message: "Reaction queued", trace_id: "4bf92f3577b34da6a3ce929d0e0e4736" },
    ],
  });

export const SetReaction = contract({
  summary: "Add or remove a reaction",
  description:
    "Adds a reaction to a part of a message, or removes it. Stickers require iMessage; otherwise they fail with 2029.",
  tag: "Messages",
  right: "send_messages",
  params: MessageParams,
  body: ReactionBody,
  returns: Ack,
  status: 202,
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
    "sticker_needs_imessage",
    "attachment_not_found",
    "attachment_not_ready",
    "download_failed",
    "file_type_invalid",
    "file_too_large",
  ],
});

/**
 * Adds or removes a reaction to a part of a message: immediately in Trunkline, as soon as possible on the phones. A
 * reaction that the network rejects is removed again, with its event. A reaction that already exists is accepted and
 * changes nothing (docs/contract.md, section 8.2). Errors: as `SetReaction`.
 */
export async function setReaction(ctx: Context, { params, body }: Input<typeof SetReaction>) {
  const hasImage = body.attachment_id !== undefined || body.url !== undefined;
  const image = body.type === "sticker" && hasImage ? await resolveSticker(ctx, body) : null;
  // Checked before the message is locked, because the vendor can be slow.
  const lacksSticker = body.type === "sticker" && (await chatLacksIMessage(ctx, params));

  await withMessage(ctx, params.messageId, async (tx, message) => {
    checkReactable(message, body, lacksSticker);
    const change = toChange(ctx, message, { body, image });
    const reactionId = await changeReaction(tx, message, change);
    if (reactionId === null) return;

    const payload: ReactPayload = {
      reaction_id: reactionId,
      part: body.part_index,
      is_removed: change.isRemoved,
      type: change.type,
      emoji: change.emoji,
      image,
      placement: change.placement,
    };
    await queueAction(tx, {
      ...eventIds(message),
      kind: "react",
      payload,
      traceId: ctx.traceId,
      at: ctx.now,
    });
    const changeType = change.isRemoved ? "reaction.removed" : "reaction.added";
    await recordUserChange(tx, ctx, changeType, message.id, {
      type: change.type,
      part_index: body.part_index,
    });
  });
  const what = body.operation === "add" ? "Reaction" : "Reaction removal";
  return { status: "accepted" as const, message: `${what} queued`, trace_id: ctx.traceId };
}

function checkReactable(
  message: LockedMessage,
  { type, part_index }: ReactionBody,
  lacksSticker: boolean,
): void {
  if (message.unsent_at !== null) fail("state_conflict", "the message was unsent");
  const isPoll = message.kind === "poll";
  if (part_index >= (isPoll ? 1 : message.parts.length)) {
    fail("parameter_invalid", `the message has no part ${part_index}`);
  }
  if (isPoll && type !== "sticker") fail("parameter_invalid", "polls support only sticker reactions");
  const service = serviceOf(message);
  if (type === "sticker" && service !== null && service !== "iMessage") fail("sticker_needs_imessage");
  if (lacksSticker) fail("sticker_needs_imessage", "a recipient does not have iMessage: react with an emoji");
  if (service === "SMS") fail("service_not_supported", "SMS does not support reactions: send a message");
  if (message.delivery_status === "failed") fail("state_conflict", "the message was not sent");
}

function toChange(
  ctx: Context,
  message: LockedMessage,
  { body, image }: { body: ReactionBody; image: ReactionChange["image"] },
): ReactionChange {
  const isSticker = body.type === "sticker";
  const placement = isSticker ? movePlacement(firstPlacement(image === null), body.placement ?? {}) : null;
  const custom = body.type === "custom" ? body.custom_emoji : undefined;
  return {
    who: message.me,
    partIndex: body.part_index,
    isRemoved: body.operation === "remove",
    type: body.type,
    emoji: (isSticker ? body.emoji : custom) ?? null,
    image,
    placement,
    ref: null,
    traceId: ctx.traceId,
    at: ctx.now,
  };
}
