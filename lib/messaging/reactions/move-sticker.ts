import "server-only";
import { z } from "zod";
import type { StickerPlacement } from "@/lib/adapters/transports/actions";
import { queueAction } from "@/lib/messaging/actions/queue-action";
import { eventIds } from "@/lib/messaging/edits/edit-text";
import { type LockedMessage, withMessage } from "@/lib/messaging/messages/locked-message";
import { Ack } from "@/lib/messaging/reactions/set-reaction";
import { movePlacement, Placement } from "@/lib/messaging/reactions/sticker-placement";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const MoveSticker = contract({
  summary: "Move a sticker",
  description: "Moves a sticker that your line placed on a message.",
  tag: "Messages",
  right: "send_messages",
  params: z.object({
    messageId: z.uuid().describe("ID of the message."),
    reactionId: z.uuid().describe("ID of the sticker, from `reactions` of the message."),
  }),
  body: z
    .object({
      placement: Placement.describe("The new placement. Omitted values stay unchanged."),
    })
    .meta({ examples: [{ placement: { x: 0.4, y: -0.2, scale: 1, rotation: 15 } }] }),
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
  ],
});

const MOVE_STICKER = statement(
  "move-sticker",
  "update reactions set placement = :placement where account_id = :accountId and message_id = :messageId and id = :reactionId",
);

/**
 * Moves a sticker that the line placed. Omitted values don't change (docs/contract.md, section 8.2). Errors: as
 * `MoveSticker`; message_not_found also for a reaction that is not one of the line's stickers.
 */
export async function moveSticker(ctx: Context, { params, body }: Input<typeof MoveSticker>) {
  await withMessage(ctx, params.messageId, async (tx, message) => {
    const lies = await findPlacement(tx, message, params.reactionId);
    const placement = movePlacement(lies, body.placement);
    await tx.run(MOVE_STICKER, {
      accountId: message.account_id,
      messageId: message.id,
      reactionId: params.reactionId,
      placement: JSON.stringify(placement),
    });
    await queueAction(tx, {
      ...eventIds(message),
      kind: "move_sticker",
      payload: { reaction_id: params.reactionId, placement },
      traceId: ctx.traceId,
      at: ctx.now,
    });
  });
  return { status: "accepted" as const, message: "Sticker move queued", trace_id: ctx.traceId };
}

const FIND_STICKER = statement(
  "find-sticker",
  `select placement as "placement!" from reactions
  where account_id = :accountId and message_id = :messageId and id = :reactionId and participant_id = :meId and type = 'sticker'`,
);

async function findPlacement(tx: Sql, message: LockedMessage, reactionId: string): Promise<StickerPlacement> {
  const [row] = await tx.run(FIND_STICKER, {
    accountId: message.account_id,
    messageId: message.id,
    reactionId,
    meId: message.me.id,
  });
  return (
    row?.placement ?? fail("message_not_found", "the message has no sticker with this ID from this line")
  );
}
