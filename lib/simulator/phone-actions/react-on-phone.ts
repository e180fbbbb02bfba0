import "server-only";
import { z } from "zod";
import type { InboundReaction } from "@/lib/adapters/transports/inbound";
import { sink } from "@/lib/adapters/transports/sink";
import { OneEmoji } from "@/lib/messaging/reactions/one-emoji";
import { ReactionType } from "@/lib/messaging/reactions/reaction";
import { firstPlacement, movePlacement, Placement } from "@/lib/messaging/reactions/sticker-placement";
import type { Context } from "@/lib/platform/context";
import { contract, type Input, MESSAGE_BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { PathHandle } from "@/lib/simulator/phone";
import { findPhoneMessage } from "@/lib/simulator/phone-actions/find/find-phone-message";
import { PhonePart, toInParts } from "@/lib/simulator/phone-actions/phone-part";

const MAX_PARTS = 100;

const PhoneReaction = z
  .object({
    message_id: z.uuid().describe("ID of the message."),
    part_index: z
      .int()
      .min(0)
      .max(MAX_PARTS)
      .default(0)
      .describe("Index of the part, starting at 0. Defaults to 0."),
    operation: z.enum(["add", "remove"]).default("add").describe("`add` or `remove`. Defaults to `add`."),
    type: ReactionType,
    custom_emoji: OneEmoji.optional().describe(
      "The emoji of a `custom` reaction, or of a sticker made of an emoji.",
    ),
    sticker: PhonePart.optional().describe("The image of a sticker, as a media part."),
    placement: Placement.optional().describe("Placement of the sticker."),
  })
  .meta({ examples: [{ message_id: "019ca9c2-4c03-7d64-bc33-5e9f40718293", type: "love" }] });

export const ReactOnPhone = contract({
  summary: "React to a message from a simulated phone",
  description:
    "Reacts to a message as the person who holds the phone. Arrives as `reaction.added` or `reaction.removed`.",
  tag: "Simulator",
  right: "send_messages",
  sandboxOnly: true,
  params: z.object({ handle: PathHandle }),
  body: PhoneReaction,
  bodyLimitBytes: MESSAGE_BODY_LIMIT_BYTES,
  returns: z.object({ message_id: z.uuid().describe("ID of the message.") }),
  status: 201,
  errors: [
    "field_missing",
    "parameter_invalid",
    "name_unknown",
    "message_not_found",
    "access_denied",
    "state_conflict",
    "feature_not_available",
    "file_type_invalid",
    "file_too_large",
  ],
  extension: true,
});

/** A phone adds or removes a reaction to a message. Resolves once it is received. Errors: as `ReactOnPhone`. */
export async function reactOnPhone(ctx: Context, { params, body }: Input<typeof ReactOnPhone>) {
  const { line, ...message } = await findPhoneMessage(ctx, params.handle, body.message_id);
  await sink().receive(line, [
    {
      type: "reaction",
      ...message,
      part: body.part_index,
      isRemoved: body.operation === "remove",
      reaction: await toReaction(ctx, body),
    },
  ]);
  return { message_id: body.message_id };
}

async function toReaction(
  ctx: Context,
  { type, custom_emoji, sticker, placement }: z.output<typeof PhoneReaction>,
): Promise<InboundReaction["reaction"]> {
  if (type === "custom") return { type, emoji: custom_emoji ?? fail("field_missing", "custom_emoji") };
  if (type !== "sticker") return { type };

  const [image] = sticker === undefined ? [] : await toInParts(ctx, [sticker]);
  const isImage = image?.type === "media";
  if (!isImage && custom_emoji === undefined) fail("field_missing", "set sticker or custom_emoji");
  return {
    type,
    ref: newId(ctx.now.getTime(), ctx.account.id, "phone sticker"),
    image: isImage ? image : null,
    emoji: isImage ? null : (custom_emoji ?? null),
    placement: movePlacement(firstPlacement(!isImage), placement ?? {}),
  };
}
