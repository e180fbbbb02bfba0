import "server-only";
import { z } from "zod";
import { messageUrl } from "@/lib/attachments/attachment-url";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/** The reaction types: six reactions, a custom emoji and a sticker (docs/contract.md, section 8.2). */
export const ReactionType = z
  .enum(["love", "like", "dislike", "laugh", "emphasize", "question", "custom", "sticker"])
  .describe("Type of the reaction: one of the six tapbacks, `custom` for any emoji, or `sticker`.");

const size = {
  height: z.int().describe("Height in pixels."),
  width: z.int().describe("Width in pixels."),
  mime_type: z.string().describe("MIME type of the image."),
};

/** A reaction on a part of a message, or on a poll (docs/contract.md, section 8.2). */
export const Reaction = z
  .object({
    id: z.uuid().describe("ID of the reaction. Use it to move a sticker."),
    handle: ChatHandle.describe("Participant who reacted."),
    is_me: z.boolean().describe("`true` if your own line reacted."),
    type: ReactionType,
    custom_emoji: z
      .string()
      .nullable()
      .describe("The emoji of a `custom` reaction, or of a sticker made of an emoji; `null` otherwise."),
    sticker: z
      .object({
        file_name: z.string().describe("File name of the image."),
        ...size,
        url: z.url().describe("URL of the image, valid for 1 hour."),
      })
      .nullable()
      .describe("The image of a sticker; `null` for other reactions."),
  })
  .meta({
    id: "Reaction",
    description: "A reaction to a part of a message.",
    examples: [
      {
        id: "019ca9c2-4c07-7ba8-8077-a3e4f5061728",
        handle: {
          id: "019ca9c2-4c01-7b42-9e11-3c7d2e5f6071",
          handle: "+12025550123",
          joined_at: "2026-03-01T12:00:00.000Z",
          service: "iMessage",
          is_me: false,
          left_at: null,
          status: "active",
          line_type: "iMessage",
        },
        is_me: false,
        type: "love",
        custom_emoji: null,
        sticker: null,
      },
    ],
  });

export type Reaction = z.infer<typeof Reaction>;

/** The reactions to a part; null when there are none. */
export const PartReactions = z
  .array(Reaction)
  .nullable()
  .describe("Reactions to the part; `null` if there are none.");

/** The stored image of a sticker. */
export const StickerImage = z.object({
  partner_id: z.uuid(),
  attachment_id: z.uuid(),
  filename: z.string(),
  mime_type: z.string(),
  size_bytes: z.int(),
  ephemeral: z.boolean(),
  width: z.int(),
  height: z.int(),
});

export type StickerImage = z.infer<typeof StickerImage>;

/** A row of `reactions`, as selected by `REACTIONS_OF_MESSAGE`. */
export const ReactionRow = z.object({
  id: z.uuid(),
  part_index: z.int(),
  participant_id: z.uuid(),
  type: ReactionType,
  emoji: z.string().nullable(),
  image: StickerImage.nullable(),
});

export type ReactionRow = z.infer<typeof ReactionRow>;

/** SQL: the reactions to the message `m` as JSON, oldest first; null when there are none. */
export const REACTIONS_OF_MESSAGE = `(
  select jsonb_agg(jsonb_build_object('id', r.id, 'part_index', r.part_index, 'participant_id', r.participant_id,
    'type', r.type, 'emoji', r.emoji, 'image', r.image) order by r.id)
  from reactions r where r.account_id = m.account_id and r.message_id = m.id)`;

/** Returns the reactions to one part; `handles` = the participants of the chat by id. */
export function reactionsOnPart(
  rows: readonly ReactionRow[],
  partIndex: number,
  handles: ReadonlyMap<string, ChatHandle>,
): Reaction[] {
  return rows.flatMap((row) => {
    const handle = handles.get(row.participant_id);
    return row.part_index === partIndex && handle !== undefined ? [toReaction(row, handle)] : [];
  });
}

function toReaction(row: ReactionRow, handle: ChatHandle): Reaction {
  return {
    id: row.id,
    handle,
    is_me: handle.is_me === true,
    type: row.type,
    custom_emoji: row.emoji,
    sticker: row.image === null ? null : toSticker(row.image),
  };
}

function toSticker(image: StickerImage): NonNullable<Reaction["sticker"]> {
  const { partner_id, attachment_id, filename, mime_type, width, height, ephemeral } = image;
  const url = messageUrl({
    partnerId: partner_id,
    attachmentId: attachment_id,
    filename,
    isEphemeral: ephemeral,
  });
  return { file_name: filename, height, width, mime_type, url };
}
