import "server-only";
import { z } from "zod";
import type { InMedia, InPart } from "@/lib/adapters/transports/inbound";
import { Filename } from "@/lib/attachments/attachment";
import { openMedia } from "@/lib/attachments/media/download-media";
import { openOwnFile } from "@/lib/attachments/media/open-own-file";
import { TextRange } from "@/lib/messaging/content/text-range";
import { NewOptions } from "@/lib/messaging/polls/poll";
import type { Context } from "@/lib/platform/context";
import { newId } from "@/lib/platform/ids";
import { maxUnits } from "@/lib/platform/text/max-units";
import { Handle } from "@/lib/platform/text/phone-handle";

const MAX_TEXT = 10_000;
const MAX_DATA_BYTES = 1024 * 1024;
const DOWNLOAD_MS = 30_000;

const PhoneMedia = z
  .object({
    type: z.literal("media").describe("A file."),
    data: z
      .base64()
      .check(maxUnits(Math.ceil(MAX_DATA_BYTES / 3) * 4))
      .optional()
      .describe("The file in base64, up to 1 MB. Requires `filename`."),
    attachment_id: z
      .uuid()
      .optional()
      .describe("ID of an uploaded attachment of the account. The phone sends a copy."),
    url: z
      .url({ protocol: /^https?$/ })
      .check(maxUnits(2048))
      .optional()
      .describe("URL of the file."),
    filename: Filename.optional().describe("File name with extension."),
    sticker: z.boolean().default(false).describe("`true` sends the image as a sticker. Defaults to `false`."),
    voice_memo: z
      .boolean()
      .default(false)
      .describe(
        "`true` sends the file as a voice memo, which must be the only part of its message. Defaults to `false`.",
      ),
    content_type: z
      .string()
      .check(maxUnits(200))
      .nullable()
      .default(null)
      .describe("MIME type of the file. Defaults to the type detected from the content."),
  })
  .refine(
    ({ data, attachment_id, url }) =>
      [data, attachment_id, url].filter((from) => from !== undefined).length === 1,
    {
      message: "set exactly one of data, attachment_id and url",
    },
  )
  .refine(({ data, filename }) => data === undefined || filename !== undefined, {
    message: "data requires a filename",
  });

type PhoneMedia = z.infer<typeof PhoneMedia>;

const PhoneTextPart = z.object({
  type: z.literal("text").describe("A text part."),
  value: z.string().min(1).check(maxUnits(MAX_TEXT)).describe("The text, 1 to 10000 characters."),
  mentions: z
    .array(z.object({ handle: Handle.describe("Handle of the participant."), range: TextRange }))
    .max(100)
    .default([])
    .describe("Mentions of participants."),
});

const PhoneLink = z.object({
  type: z.literal("link").describe("A link with a preview card."),
  value: z
    .url({ protocol: /^https?$/ })
    .check(maxUnits(2048))
    .describe("The URL, up to 2048 characters."),
});

const CardText = z.string().check(maxUnits(512));

const PhoneCard = z.object({
  type: z.literal("imessage_app").describe("An iMessage app card."),
  app: z
    .object({
      bundle_id: z.string().min(1).check(maxUnits(255)).describe("Bundle identifier of the app."),
      name: z.string().min(1).check(maxUnits(64)).describe("Name of the app."),
      team_id: z
        .string()
        .regex(/^[A-Z0-9]{10}$/)
        .describe("Apple team ID: 10 uppercase letters and digits."),
    })
    .describe("The app that the card belongs to."),
  layout: z
    .object({
      caption: CardText.describe("Text at the top left, in bold."),
      subcaption: CardText.optional().describe("Text below the caption."),
    })
    .describe("Captions and image of the card."),
  url: z.string().check(maxUnits(2048)).default("").describe("URL passed to the app on tap."),
});

/** A poll: the only part of its message. */
const PhonePoll = z.object({
  type: z.literal("poll").describe("A poll. Must be the only part of its message."),
  options: NewOptions.describe("Options of the poll, 2 to 12."),
});

/** A part of a message from a simulated phone. */
export const PhonePart = z.discriminatedUnion("type", [
  PhoneTextPart,
  PhoneMedia,
  PhoneLink,
  PhoneCard,
  PhonePoll,
]);

/** A part as the request of a phone contains it. */
export type NewPhonePart = z.input<typeof PhonePart>;

/** Converts the parts that a phone wrote to the network's form. Errors: as `openMedia` and `openOwnFile`. */
export function toInParts(ctx: Context, parts: readonly NewPhonePart[]): Promise<InPart[]> {
  return Promise.all(parts.map((part) => toInPart(ctx, PhonePart.parse(part))));
}

async function toInPart(ctx: Context, part: z.infer<typeof PhonePart>): Promise<InPart> {
  switch (part.type) {
    case "text":
      return part;
    case "link":
      return { type: "link", url: part.value };
    case "media":
      return toInMedia(ctx, part);
    case "imessage_app":
      return toInCard(part);
    case "poll":
      return {
        type: "poll",
        options: part.options.map(({ text }) => ({
          ref: newId(ctx.now.getTime(), ctx.account.id, "phone poll option"),
          text,
        })),
      };
  }
}

function toInCard({ app, layout, url }: z.infer<typeof PhoneCard>): InPart {
  const { caption, subcaption } = layout;
  return {
    type: "app_card",
    app: { bundleId: app.bundle_id, name: app.name, teamId: app.team_id },
    layout: subcaption === undefined ? { caption } : { caption, subcaption },
    image: null,
    fallbackText: caption,
    url,
  };
}

async function toInMedia(ctx: Context, part: PhoneMedia): Promise<InMedia> {
  const file = await fileOf(ctx, part);
  return {
    type: "media",
    filename: part.filename ?? file.filename,
    mimeType: part.content_type ?? file.contentType,
    sticker: part.sticker,
    voiceMemo: part.voice_memo,
    isRequired: true,
    open: async () => file.body,
  };
}

async function fileOf(ctx: Context, { data, attachment_id, url }: PhoneMedia) {
  if (data !== undefined) return { filename: "", contentType: null, body: once(Buffer.from(data, "base64")) };
  if (attachment_id !== undefined) return openOwnFile(ctx.account.id, attachment_id);
  return openMedia(new URL(url ?? ""), AbortSignal.timeout(DOWNLOAD_MS));
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}
