import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { findUsableChat, type UsableChat } from "@/lib/messaging/chats/find-usable-chat";
import { queueChatAction } from "@/lib/messaging/chats/queue-chat-action";
import { canDo, requireCreated } from "@/lib/messaging/chats/require-group";
import { insertChatImage, withImage } from "@/lib/messaging/chats/stored-image";
import type { StoredBackground } from "@/lib/messaging/groups/background-action";
import { ChatBackground } from "@/lib/messaging/groups/chat-background";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";

const REFUSALS = [
  "chat_not_found",
  "access_denied",
  "chat_being_created",
  "chat_unavailable",
  "phone_not_e164",
  "line_restricted",
] as const;

export const SetBackground = contract({
  summary: "Set a chat's background",
  description:
    "Sets the background of a chat. Works in direct chats and groups over iMessage; over SMS and RCS the request is accepted without effect. A `chat.background_updated` or `chat.background_update_failed` event reports the outcome.",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  body: ChatBackground,
  status: 202,
  errors: [
    ...REFUSALS,
    "field_missing",
    "parameter_invalid",
    "attachment_not_found",
    "attachment_not_ready",
    "download_failed",
    "content_type_mismatch",
    "image_download_failed",
  ],
});

export const RemoveBackground = contract({
  summary: "Remove a chat's background",
  description:
    "Removes the background of a chat. A `chat.background_updated` or `chat.background_update_failed` event reports the outcome.",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  status: 202,
  errors: REFUSALS,
});

/**
 * Queues a new background of a chat. A photo is downloaded, checked and stored first. Over SMS and RCS the request is
 * accepted but nothing is shown. chat.background_updated or chat.background_update_failed follows. Errors: as
 * `SetBackground`.
 */
export async function setBackground(
  ctx: Context,
  { params, body }: Input<typeof SetBackground>,
): Promise<undefined> {
  const chat = await findUsableChat(ctx, params.chatId);
  await requireCreated(ctx, chat);
  const url = body.type === "photo" ? body.image_url : undefined;

  await withImage(ctx, url, async (file) => {
    await transaction(async (tx) => {
      const place = { accountId: ctx.account.id, lineId: chat.line_id, at: ctx.now };
      const photo = file && (await insertChatImage(tx, place, file));
      const background = body.type === "photo" ? { type: body.type, ...(photo && { image: photo }) } : body;
      await queue(tx, ctx, chat, background);
    });
  });
}

/** Queues the removal of a chat's background. Errors: as `RemoveBackground`. */
export async function removeBackground(
  ctx: Context,
  { params }: Pick<Input<typeof RemoveBackground>, "params">,
): Promise<undefined> {
  const chat = await findUsableChat(ctx, params.chatId);
  await requireCreated(ctx, chat);
  await transaction((tx) => queue(tx, ctx, chat, null));
}

type Tx = Parameters<typeof queueChatAction>[0];

async function queue(
  tx: Tx,
  ctx: Context,
  chat: UsableChat,
  background: StoredBackground | null,
): Promise<void> {
  if (canDo(chat, "background")) {
    await queueChatAction(tx, ctx, chat, { kind: "set_background", payload: { background } });
  }
  const what = background === null ? "chat.background_removed" : "chat.background_set";
  await recordAudit(tx, ctx, what, "chat", chat.id, background === null ? {} : { type: background.type });
}
