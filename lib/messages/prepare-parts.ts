import "server-only";
import type { AttachmentRow } from "@/lib/attachments/attachment";
import { type ResolvedMedia, resolveMedia } from "@/lib/attachments/resolve-media";
import { failUnlessForeign } from "@/lib/chats/find-chat";
import type { MessageContent } from "@/lib/messages/message-content";
import {
  type MediaPart,
  type StoredMediaPart,
  type StoredPart,
  toStoredPart,
} from "@/lib/messages/message-part";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";

/** A content whose files are found, downloaded and checked: ready to be accepted, under an id of its own. */
export interface PreparedContent {
  messageId: string;
  content: MessageContent;
  parts: StoredPart[];
}

/** That a content's idempotency key is that of an earlier message. */
export interface RepeatedContent {
  replayOf: string;
}

/**
 * Prepares a content for a chat (or for a line, when the chat is yet to be opened) and has it accepted; what was stored
 * for it is taken back when that fails. Text alone takes no statement. Errors: chat_not_found, access_denied,
 * content_invalid, and as `resolveMedia`.
 */
export async function withPreparedParts<Sent extends { replayOf: null } | RepeatedContent>(
  ctx: Context,
  content: MessageContent,
  place: { chatId: string } | { lineId: string },
  accept: (prepared: PreparedContent) => Promise<Sent>,
): Promise<Sent | RepeatedContent> {
  const requests = content.parts.filter((part) => part.type === "media");
  if (requests.length === 0) {
    return accept({
      messageId: newId(ctx.now.getTime()),
      content,
      parts: content.parts.map((part) => toStoredPart(part)),
    });
  }
  const media = await resolve(ctx, content, requests, place);
  if ("replayOf" in media) return media;
  return acceptOrDiscard(media, () => accept(toPrepared(content, requests, media)));
}

async function resolve(
  ctx: Context,
  content: MessageContent,
  requests: readonly MediaPart[],
  place: { chatId: string } | { lineId: string },
): Promise<ResolvedMedia | RepeatedContent> {
  const chatId = "chatId" in place ? place.chatId : null;
  const media = await resolveMedia(ctx, requests, {
    chatId,
    lineId: "lineId" in place ? place.lineId : null,
    idempotencyKey: content.idempotency_key ?? null,
  });
  return media === "chat_missing" ? failUnlessForeign(chatId ?? "") : media;
}

async function acceptOrDiscard<Sent extends { replayOf: null } | RepeatedContent>(
  media: ResolvedMedia,
  accept: () => Promise<Sent>,
): Promise<Sent> {
  let isAccepted = false;
  try {
    const sent = await accept();
    isAccepted = sent.replayOf === null;
    return sent;
  } finally {
    if (!isAccepted) await media.discard();
  }
}

function toPrepared(
  content: MessageContent,
  requests: readonly MediaPart[],
  { messageId, files }: ResolvedMedia,
): PreparedContent {
  const stored = new Map<unknown, StoredMediaPart>();
  for (const [index, request] of requests.entries()) {
    const file = files[index];
    if (file !== undefined) stored.set(request, toMediaPart(file, request.sticker));
  }
  return { messageId, content, parts: content.parts.map((part) => toStoredPart(part, stored.get(part))) };
}

/** A file as the part of a message that shows it. Errors: content_invalid (a sticker that is no picture). */
export function toMediaPart(file: AttachmentRow, sticker: boolean): StoredMediaPart {
  if (sticker && !file.content_type.startsWith("image/")) {
    fail("content_invalid", `a sticker must be a picture, not ${file.content_type}`);
  }
  return {
    type: "media",
    attachment_id: file.id,
    partner_id: file.partner_id,
    filename: file.filename,
    mime_type: file.content_type,
    size_bytes: Number(file.size_bytes),
    ephemeral: file.tier === "ephemeral",
    sticker,
  };
}
