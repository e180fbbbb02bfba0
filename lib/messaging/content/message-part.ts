import "server-only";
import { z } from "zod";
import {
  AppCardPart,
  AppCardPartResponse,
  StoredAppCardPart,
  toAppCardResponse,
} from "@/lib/messaging/content/app-card-part";
import { AppClipPart, StoredAppClipPart } from "@/lib/messaging/content/app-clip-part";
import { LinkPart, StoredLinkPart } from "@/lib/messaging/content/link-part";
import {
  MediaPart,
  MediaPartResponse,
  StoredMediaPart,
  toMediaResponse,
} from "@/lib/messaging/content/media-part";
import type { UrlAudience } from "@/lib/messaging/content/stored-file";
import {
  StoredTextPart,
  TextPart,
  TextPartResponse,
  toTextResponse,
} from "@/lib/messaging/content/text-part";
import { PartReactions } from "@/lib/messaging/reactions/reaction";

/** A part of a send, by its `type` (docs/contract.md, section 6.1). */
export const RequestPart = z.discriminatedUnion("type", [
  TextPart,
  MediaPart,
  LinkPart,
  AppClipPart,
  AppCardPart,
]);
export type RequestPart = z.infer<typeof RequestPart>;

/** A part as stored in the database and in events. */
export const StoredPart = z.discriminatedUnion("type", [
  StoredTextPart,
  StoredMediaPart,
  StoredLinkPart,
  StoredAppClipPart,
  StoredAppCardPart,
]);
export type StoredPart = z.infer<typeof StoredPart>;

/** A part in webhooks: without the key `reactions` (docs/contract.md, section 6.7). */
export const WebhookPart = z.discriminatedUnion("type", [
  TextPartResponse,
  MediaPartResponse,
  StoredLinkPart,
  StoredAppClipPart,
  AppCardPartResponse,
]);

const reactions = { reactions: PartReactions };

/** A part of a message in a response (docs/contract.md, section 6.7). */
export const ResponsePart = z.discriminatedUnion("type", [
  TextPartResponse.extend(reactions).meta({ id: "TextPartResponse" }),
  MediaPartResponse.extend(reactions).meta({ id: "MediaPartResponse" }),
  StoredLinkPart.extend(reactions).meta({ id: "LinkPartResponse" }),
  StoredAppClipPart.extend(reactions).meta({ id: "AppClipPartResponse" }),
  AppCardPartResponse.extend(reactions).meta({ id: "IMessageAppPartResponse" }),
]);
export type ResponsePart = z.infer<typeof ResponsePart>;

export function toResponsePart(part: StoredPart): ResponsePart {
  return { ...showPart(part, "answer"), reactions: null };
}

export function toWebhookPart(part: StoredPart): z.infer<typeof WebhookPart> {
  return showPart(part, "webhook");
}

function showPart(part: StoredPart, shownIn: UrlAudience): z.infer<typeof WebhookPart> {
  switch (part.type) {
    case "text":
      return toTextResponse(part, shownIn);
    case "media":
      return toMediaResponse(part, shownIn);
    case "imessage_app":
      return toAppCardResponse(part, shownIn);
    default:
      return part;
  }
}
