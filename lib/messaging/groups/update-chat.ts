import "server-only";
import { z } from "zod";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { findUsableChat, type UsableChat } from "@/lib/messaging/chats/find-usable-chat";
import { queueChatAction } from "@/lib/messaging/chats/queue-chat-action";
import { requireGroup } from "@/lib/messaging/chats/require-group";
import { ImageUrl, insertChatImage, withImage } from "@/lib/messaging/chats/stored-image";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_NAME = 255;

/** A group's name: one line of text. */
export const GroupName = z
  .string()
  .trim()
  .min(1)
  .check(maxUnits(MAX_NAME))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
  .refine((name) => !/[\u0000-\u001f\u007f]/.test(name), "must be one line of text");

export const UpdateChat = contract({
  summary: "Update a group's name or icon",
  description:
    "Changes the name or the icon of a group. Direct chats fail with 1006. A `chat.group_name_updated` or `chat.group_icon_updated` event, or a `chat.group_name_update_failed` or `chat.group_icon_update_failed` event, reports the outcome.",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  body: z
    .object({
      display_name: GroupName.optional().describe("New name of the group."),
      group_chat_icon: ImageUrl.optional().describe(
        "URL of the new icon. Trunkline downloads the image once and stores a copy.",
      ),
    })
    .refine(
      ({ display_name, group_chat_icon }) => display_name !== undefined || group_chat_icon !== undefined,
      "set display_name, group_chat_icon or both",
    )
    .meta({ examples: [{ display_name: "Friday dinner" }] }),
  returns: z.object({
    chat_id: z.uuid().describe("ID of the chat."),
    status: z.literal("accepted").describe("Always `accepted`."),
  }),
  status: 202,
  errors: [
    "parameter_invalid",
    "direct_chat",
    "chat_not_found",
    "access_denied",
    "attachment_not_found",
    "attachment_not_ready",
    "download_failed",
    "chat_being_created",
    "chat_unavailable",
    "phone_not_e164",
    "line_restricted",
    "service_not_supported",
    "content_type_mismatch",
    "image_download_failed",
  ],
});

/**
 * Queues a new name or icon of a group. The icon is downloaded, checked and stored first. The chat.group_* events
 * report the outcome (docs/contract.md, section 5.3). Errors: as `UpdateChat`.
 */
export async function updateChat(ctx: Context, { params, body }: Input<typeof UpdateChat>) {
  const { display_name: name, group_chat_icon: iconUrl } = body;
  const chat = await findUsableChat(ctx, params.chatId);
  await requireGroup(ctx, chat, "group_name", "direct_chat");

  await withImage(ctx, iconUrl, (icon) => queueChanges(ctx, chat, { name, icon }));
  return { chat_id: chat.id, status: "accepted" as const };
}

async function queueChanges(
  ctx: Context,
  chat: UsableChat,
  { name, icon }: { name: string | undefined; icon: NewFile | null },
): Promise<void> {
  await transaction(async (tx) => {
    if (name !== undefined) await queueChatAction(tx, ctx, chat, { kind: "set_name", payload: { name } });
    if (icon !== null) {
      const place = { accountId: ctx.account.id, lineId: chat.line_id, at: ctx.now };
      const payload = { icon: await insertChatImage(tx, place, icon) };
      await queueChatAction(tx, ctx, chat, { kind: "set_icon", payload });
    }
    const detail = { ...(name !== undefined && { name }), ...(icon && { icon: icon.filename }) };
    await recordAudit(tx, ctx, "chat.updated", "chat", chat.id, detail);
  });
}
