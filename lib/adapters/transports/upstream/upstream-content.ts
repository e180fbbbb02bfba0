import "server-only";
import type { Outbound, OutMedia, OutPart } from "@/lib/adapters/transports/outbound";
import type { UpstreamApi } from "@/lib/adapters/transports/upstream/upstream-api";
import { isUuid } from "@/lib/adapters/transports/upstream/upstream-chats";
import { uploadFile } from "@/lib/adapters/transports/upstream/upstream-files";

type OutText = Extract<OutPart, { type: "text" }>;
type OutCard = Extract<OutPart, { type: "app_card" }>;

/** The `message` of a send: the parts with uploaded files, and our message id as the idempotency key. */
export async function toContent(api: UpstreamApi, message: Outbound, signal: AbortSignal) {
  const parts = await Promise.all(message.parts.map((part) => toPart(api, part, signal)));
  const { effect, replyTo, service, line } = message;
  return {
    parts,
    idempotency_key: message.id,
    ...(effect !== null && { effect }),
    ...(replyTo !== null &&
      isUuid(replyTo.ref) && { reply_to: { message_id: replyTo.ref, part_index: replyTo.part } }),
    // The upstream uses the best service by itself, so only a lower one is a preference.
    ...(service !== line.lineType && { preferred_service: service }),
  };
}

/** The content of a card, for a send and for the replacement of an earlier card. */
export async function toCard(api: UpstreamApi, card: OutCard, signal: AbortSignal) {
  const { app, layout, image, fallbackText, interactive, url } = card;
  const image_url = image === null ? undefined : (await uploadFile(api, image, signal)).downloadUrl;
  return {
    app: {
      bundle_id: app.bundleId,
      name: app.name,
      team_id: app.teamId,
      ...(app.appStoreId !== null && { app_store_id: app.appStoreId }),
    },
    layout: { ...layout, ...(image_url !== undefined && { image_url }) },
    ...(fallbackText !== null && { fallback_text: fallbackText }),
    interactive,
    ...(url !== "" && { url }),
  };
}

async function toPart(api: UpstreamApi, part: OutPart, signal: AbortSignal): Promise<object> {
  switch (part.type) {
    case "text":
      return toText(api, part, signal);
    case "media":
      return toMedia(api, part, signal);
    case "link":
      return { type: "link", value: part.url };
    case "app_card":
      return { type: "imessage_app", ...(await toCard(api, part, signal)) };
    case "app_clip":
    case "poll":
      throw new Error(`a part of type ${part.type} is not sent as content`);
  }
}

async function toText(
  api: UpstreamApi,
  { value, decorations, mentions, stickers }: OutText,
  signal: AbortSignal,
) {
  const placed = await Promise.all(
    stickers.map(async ({ range, image }) => {
      const { attachmentId } = await uploadFile(api, image, signal);
      return { range, attachment_id: attachmentId };
    }),
  );
  return {
    type: "text",
    value,
    ...(decorations.length > 0 && { text_decorations: decorations }),
    ...(placed.length > 0 && { inline_stickers: placed }),
    ...mentionsOf(mentions),
  };
}

// The original takes one mention for each part; a Trunkline takes several.
function mentionsOf(mentions: OutText["mentions"]) {
  const [first, ...more] = mentions;
  if (first === undefined) return {};
  if (more.length > 0) return { mentions: mentions.map(({ handle, range }) => ({ handle, range })) };
  return { mention: first.handle, mention_range: first.range };
}

async function toMedia(api: UpstreamApi, media: OutMedia, signal: AbortSignal) {
  const { attachmentId } = await uploadFile(api, media, signal);
  return { type: "media", attachment_id: attachmentId, ...(media.sticker && { sticker: true }) };
}
