import "server-only";
import { z } from "zod";
import { downloadUrl } from "@/lib/attachments/attachment-url";
import { defineEvents, defineInternalEvent } from "@/lib/events/catalog/define-events";
import { EventMedia } from "@/lib/events/catalog/event-media";
import { EventTime } from "@/lib/events/catalog/event-time";
import {
  EXAMPLE_CHAT_ID,
  EXAMPLE_IMAGE,
  EXAMPLE_MESSAGE_ID,
  EXAMPLE_TIME,
} from "@/lib/events/catalog/example-data";
import { payload } from "@/lib/events/catalog/payload";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";
import { EXAMPLE_CONTACT } from "@/lib/recipients/handles/example-handles";

const ReactionType = z.enum([
  "love",
  "like",
  "dislike",
  "laugh",
  "emphasize",
  "question",
  "custom",
  "sticker",
]);

const reactionShape = {
  is_from_me: z.boolean().describe("`true` if your own line reacted."),
  reaction_type: ReactionType.describe("Type of the reaction."),
  chat_id: z.uuid().describe("ID of the chat."),
  message_id: z.uuid().describe("ID of the message."),
  part_index: z.int().min(0).describe("Index of the part, starting at 0."),
  custom_emoji: z.string().nullable().describe("The emoji of a `custom` reaction; `null` otherwise."),
  from_handle: ChatHandle.describe("Participant who reacted."),
  reacted_at: EventTime.describe("When the participant reacted."),
  service: ServiceType.describe("Service of the reaction."),
};

const size = {
  width: z.int().describe("Width in pixels."),
  height: z.int().describe("Height in pixels."),
  mime_type: z.string().describe("MIME type of the image."),
};

/** The URL of an ephemeral file must be signed. Older data do not contain the flag. */
const StickerFile = EventMedia.extend({ ephemeral: z.boolean().default(false) });

const StickerData = z.object({ image: StickerFile, ...size });
const ReactionData = z.object({ ...reactionShape, sticker: StickerData.nullable() });
const PollReactionData = z.object({
  ...reactionShape,
  reaction_type: z.literal("sticker"),
  /** null when the sticker is an emoji (`custom_emoji`). */
  sticker: StickerData.nullable(),
});

const Sticker = z.object({
  file_name: z.string().describe("File name of the image."),
  ...size,
  url: z.url().describe("URL of the image."),
});

const Reaction = z
  .object({
    ...reactionShape,
    from: z.string().describe("Deprecated. Use `from_handle`."),
    sticker: Sticker.nullable().describe(
      "The image of a sticker; `null` for other reactions and for a sticker made of an emoji.",
    ),
  })
  .meta({ id: "ReactionEvent" });

type ReactionData = z.output<typeof ReactionData>;

const format = {
  schema: Reaction,
  render: ({ sticker, ...data }: ReactionData) => ({
    ...data,
    from: data.from_handle.handle,
    sticker: sticker === null ? null : toSticker(sticker),
  }),
};

function toSticker({ image, ...shown }: z.output<typeof StickerData>): z.input<typeof Sticker> {
  const { partner_id, attachment_id, filename, ephemeral } = image;
  const url = downloadUrl({
    partnerId: partner_id,
    attachmentId: attachment_id,
    filename,
    isEphemeral: ephemeral,
  });
  return { file_name: filename, ...shown, url };
}

const EXAMPLE = {
  is_from_me: false,
  chat_id: EXAMPLE_CHAT_ID,
  message_id: EXAMPLE_MESSAGE_ID,
  part_index: 0,
  from_handle: EXAMPLE_CONTACT,
  reacted_at: EXAMPLE_TIME,
  service: "iMessage",
  custom_emoji: null,
} as const;

/** `data` of reaction.added and reaction.removed (docs/contract.md, section 12.5). */
const reactionPayload = payload(ReactionData, format, {
  ...EXAMPLE,
  reaction_type: "love",
  sticker: null,
});

/** `data` of poll.reaction.added: stickers only, which can't be removed (docs/contract.md, section 12.5). */
const pollReactionPayload = payload(PollReactionData, format, {
  ...EXAMPLE,
  reaction_type: "sticker",
  sticker: { image: EXAMPLE_IMAGE, width: 300, height: 300, mime_type: "image/png" },
});

export const REACTION_EVENTS = defineEvents({
  "reaction.added": reactionPayload,
  "reaction.removed": reactionPayload,
  "poll.reaction.added": pollReactionPayload,
});

/** Stickers on a poll can't be removed. One that the network rejects disappears only from the timeline. */
export const POLL_STICKER_REJECTED = defineInternalEvent("poll.reaction.removed", PollReactionData);
