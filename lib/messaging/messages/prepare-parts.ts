import "server-only";
import { type MediaRequest, type ResolvedMedia, resolveMedia } from "@/lib/attachments/resolve-media";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { checkTarget } from "@/lib/messaging/messages/check-send-place";
import { composeParts } from "@/lib/messaging/messages/compose-parts";
import { iMessageNeed, needsPlace } from "@/lib/messaging/messages/content-needs";
import type { MessageContent } from "@/lib/messaging/messages/message-content";
import type { StoredPart } from "@/lib/messaging/messages/message-part";
import type { AcceptEffect } from "@/lib/messaging/messages/payment-port";
import { type ResolvedTarget, resolveTarget, type SendTarget } from "@/lib/messaging/messages/resolve-target";
import type { Context } from "@/lib/platform/context";
import { newId } from "@/lib/platform/ids";

/** A content that is checked, its files found or downloaded: ready to be accepted, under an id of its own. */
export interface PreparedContent {
  messageId: string;
  content: MessageContent;
  parts: StoredPart[];
  /** What is stored with the message when it is accepted. */
  effects?: readonly AcceptEffect[];
}

/** Returned for content with the idempotency key of an earlier message. */
export interface RepeatedContent {
  replayOf: string;
}

/**
 * Prepares a content for a chat (or for a line and recipients, when the chat is yet to be opened) and has it accepted;
 * what was stored for it is taken back when that fails. Text and links take no statement. Errors: chat_not_found,
 * access_denied, content_invalid, and as `checkSendPlace`, `composeParts` and `resolveMedia`.
 */
export async function withPreparedParts<Sent extends { replayOf: null } | RepeatedContent>(
  ctx: Context,
  content: MessageContent,
  target: SendTarget,
  accept: (prepared: PreparedContent) => Promise<Sent>,
): Promise<Sent | RepeatedContent> {
  const place = needsPlace(content) ? await findCheckedPlace(ctx, content, target) : null;
  if (place !== null && "replayOf" in place) return place;

  const composed = await composeParts(ctx, content, place?.recipients ?? []);
  const preferred: MessageContent =
    iMessageNeed(content) === null ? content : { ...content, preferred_service: "iMessage" };
  return withFiles(ctx, { target, files: composed.files, content }, (messageId, files) =>
    accept({ messageId, content: preferred, parts: composed.store(files), effects: composed.effects }),
  );
}

async function findCheckedPlace(
  ctx: Context,
  content: MessageContent,
  target: SendTarget,
): Promise<ResolvedTarget | RepeatedContent> {
  const place = await resolveTarget(ctx, target, content.idempotency_key ?? null);
  if (!("replayOf" in place)) await checkTarget(ctx, content, place);
  return place;
}

interface Wanted {
  target: SendTarget;
  files: readonly MediaRequest[];
  content: Pick<MessageContent, "idempotency_key">;
}

/** Finds and downloads files for a message that `accept` may bring about; takes them back when it does not. */
export async function withFiles<Sent extends { replayOf: null } | RepeatedContent>(
  ctx: Context,
  { target, files, content }: Wanted,
  accept: (messageId: string, files: ResolvedMedia["files"]) => Promise<Sent>,
): Promise<Sent | RepeatedContent> {
  if (files.length === 0) return accept(newId(ctx.now.getTime()), []);

  const chatId = "chatId" in target ? target.chatId : null;
  const media = await resolveMedia(ctx, files, {
    chatId,
    lineId: "lineId" in target ? target.lineId : null,
    idempotencyKey: content.idempotency_key ?? null,
  });
  if (media === "chat_missing") return throwNotFoundOrDenied(chatId ?? "");
  if ("replayOf" in media) return media;

  let isAccepted = false;
  try {
    const sent = await accept(media.messageId, media.files);
    isAccepted = sent.replayOf === null;
    return sent;
  } finally {
    if (!isAccepted) await media.discard();
  }
}
