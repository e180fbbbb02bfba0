import "server-only";
import { type ChangedChat, emitChatEvent } from "@/lib/messaging/chats/change-chat";
import { StoredImage } from "@/lib/messaging/chats/stored-image";
import { GROUP_EVENTS } from "@/lib/messaging/groups/group-events";
import type { Sql } from "@/lib/platform/database/db";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

interface Before {
  display_name: string | null;
  group_icon: unknown;
}

/** Stores a group's name (null = none) and emits chat.group_name_updated, unless the name is unchanged. */
export async function renameGroup(
  tx: Sql,
  chat: ChangedChat,
  name: string | null,
  by: ChatHandle | null,
): Promise<void> {
  const before = await lockGroup(tx, chat);
  if (before.display_name === name) return;

  // A named group is no longer found by its recipients (contract.md 1.1).
  await tx.query({
    name: "rename-group",
    text: `update chats set display_name = $3, participants_key = null, updated_at = greatest(updated_at, $4)
           where account_id = $1 and id = $2`,
    values: [chat.accountId, chat.chatId, name, chat.at],
  });
  await emitChatEvent(tx, chat, GROUP_EVENTS["chat.group_name_updated"], {
    chat_id: chat.chatId,
    changed_by_handle: by,
    updated_at: chat.at.toISOString(),
    old_value: before.display_name,
    new_value: name,
  });
}

/** Stores a group's icon (null = none) and emits chat.group_icon_updated. */
export async function changeGroupIcon(
  tx: Sql,
  chat: ChangedChat,
  icon: StoredImage | null,
  by: ChatHandle | null,
): Promise<void> {
  const before = StoredImage.nullable().parse((await lockGroup(tx, chat)).group_icon);
  if (before === null && icon === null) return;

  await tx.query({
    name: "change-group-icon",
    text: `update chats set group_icon = $3, updated_at = greatest(updated_at, $4)
           where account_id = $1 and id = $2`,
    values: [chat.accountId, chat.chatId, icon && JSON.stringify(icon), chat.at],
  });
  await emitChatEvent(tx, chat, GROUP_EVENTS["chat.group_icon_updated"], {
    chat_id: chat.chatId,
    changed_by_handle: by,
    updated_at: chat.at.toISOString(),
    old_icon: before,
    new_icon: icon,
  });
}

async function lockGroup(tx: Sql, { accountId, chatId }: ChangedChat): Promise<Before> {
  const [before] = await tx.query<Before>({
    name: "lock-group",
    text: `select display_name, group_icon from chats where account_id = $1 and id = $2 for no key update`,
    values: [accountId, chatId],
  });
  if (before === undefined) throw new Error("a chat vanished while it was changed");
  return before;
}
