import "server-only";
import type { InEvent, InPart } from "@/lib/adapters/transports/inbound";
import type { UpstreamApi } from "@/lib/adapters/transports/upstream/upstream-api";
import { readChat } from "@/lib/adapters/transports/upstream/upstream-chats";
import type { MessageData, Part } from "@/lib/adapters/transports/upstream/upstream-envelope";
import { toInMedia, toLateMedia } from "@/lib/adapters/transports/upstream/upstream-files";
import { now } from "@/lib/platform/time/clock";

/** A message that is older than this when it is read was missed and recovered. */
const LIVE_MS = 60_000;
/** A message whose parts are all of types that Trunkline lacks is shown as one that came. */
const UNKNOWN_CONTENT = "[…]";

/** Converts an inbound message. Throws AdapterError when the members of its group can't be read. */
export async function toMessageEvent(
  { api, at }: { api: UpstreamApi; at: Date },
  data: MessageData,
): Promise<InEvent[]> {
  if (data.direction === "outbound") return [];
  const from = data.sender_handle.handle;
  const { isGroup, others } = data.chat.is_group
    ? await readChat(api, data.chat.id)
    : { isGroup: false, others: [] };
  const sentAt = data.sent_at == null ? at : new Date(data.sent_at);
  const parts = data.parts.flatMap((part, index) => toInPart(api, part, `${data.id}/${index}`));
  const replyTo = data.reply_to && { ref: data.reply_to.message_id, part: data.reply_to.part_index ?? 0 };
  return [
    {
      type: "message",
      ref: data.id,
      groupRef: isGroup ? data.chat.id : null,
      from,
      others: isGroup ? others.filter((handle) => handle !== from) : [],
      service: data.service ?? "SMS",
      at: sentAt,
      // The line behind it may get its SMS and RCS from a network without times.
      isTimeReported: data.service === "iMessage",
      parts: parts.length > 0 ? parts : [{ type: "text", value: UNKNOWN_CONTENT }],
      effect: toEffect(data.effect),
      replyTo: replyTo ?? null,
      isLive: data.reconciled_at == null && now().getTime() - sentAt.getTime() < LIVE_MS,
    },
  ];
}

function toEffect(effect: MessageData["effect"]): { type?: string; name?: string } | null {
  if (effect == null) return null;
  const { type, name } = effect;
  return { ...(type !== undefined && { type }), ...(name !== undefined && { name }) };
}

function toInPart(api: UpstreamApi, part: Part, place: string): InPart[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", value: part.value, mentions: toMentions(api, part.mentions ?? []) }];
    case "media":
      return [
        part.url == null
          ? toLateMedia(api, place, part)
          : toInMedia(part.url, part.filename ?? null, part.mime_type ?? null),
      ];
    case "imessage_app":
      return [toInCard(part)];
    case "link":
      return [{ type: "link", url: part.value }];
    case "app_clip":
      return [{ type: "text", value: part.value }];
  }
}

function toMentions(
  { number, line }: UpstreamApi,
  mentions: readonly { handle: string; range: [number, number] }[],
) {
  return mentions.map(({ handle, range }) => ({
    handle: handle === number ? line.phoneNumber : handle,
    range,
  }));
}

function toInCard({ app, layout, url, fallback_text }: Extract<Part, { type: "imessage_app" }>): InPart {
  const { image_url, ...texts } = layout;
  const shown = Object.entries(texts).flatMap(([name, text]) =>
    text == null ? [] : [[name, text] as const],
  );
  return {
    type: "app_card",
    app: {
      bundleId: app.bundle_id,
      name: app.name,
      teamId: app.team_id,
      ...(app.app_store_id != null && { appStoreId: app.app_store_id }),
    },
    layout: Object.fromEntries(shown),
    image: image_url == null ? null : toInMedia(image_url, null, null),
    fallbackText: fallback_text ?? null,
    url: url ?? "",
  };
}
