import "server-only";
import { type ChangedChat, emitChatEvent } from "@/lib/messaging/chats/change-chat";
import { StoredImage } from "@/lib/messaging/chats/stored-image";
import { GROUP_EVENTS } from "@/lib/messaging/groups/group-events";
import type { Sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import type { ChatHandle } from "@/lib/recipients/handles/chat-handle";

type Before = RowOf<"lock-group">;

const RENAME_GROUP = statement(
  "rename-group",
  `update chats set display_name = :displayName, participants_key = null, updated_at = greatest(updated_at, :chatAt)
  where account_id = :accountId and id = :chatId`,
);

/** Stores a group's name (null = none) and emits chat.group_name_updated, unless the name is unchanged. */
export async function renameGroup(
  tx: Sql,
  chat: ChangedChat,
  name: string | null,
  by: ChatHandle | null,
): Promise<void> {
  const before = await lockGroup(tx, chat);
  if (before.display_name === name) return;

  // A named group is no longer found by its recipients (docs/contract.md, section 5.2).
  await tx.run(RENAME_GROUP, {
    accountId: chat.accountId,
    chatId: chat.chatId,
    displayName: name,
    chatAt: chat.at,
  });
  await emitChatEvent(tx, chat, GROUP_EVENTS["chat.group_name_updated"], {
    chat_id: chat.chatId,
    changed_by_handle: by,
    updated_at: chat.at.toISOString(),
    old_value: before.display_name,
    new_value: name,
  });
}

const CHANGE_GROUP_ICON = statement(
  "change-group-icon",
  `update chats set group_icon = :groupIcon, updated_at = greatest(updated_at, :chatAt)
  where account_id = :accountId and id = :chatId`,
);

/** Stores a group's icon (null = none) and emits chat.group_icon_updated. */
export async function changeGroupIcon(
  tx: Sql,
  chat: ChangedChat,
  icon: StoredImage | null,
  by: ChatHandle | null,
): Promise<void> {
  const before = StoredImage.nullable().parse((await lockGroup(tx, chat)).group_icon);
  if (before === null && icon === null) return;

  await tx.run(CHANGE_GROUP_ICON, {
    accountId: chat.accountId,
    chatId: chat.chatId,
    groupIcon: icon && JSON.stringify(icon),
    chatAt: chat.at,
  });
  await emitChatEvent(tx, chat, GROUP_EVENTS["chat.group_icon_updated"], {
    chat_id: chat.chatId,
    changed_by_handle: by,
    updated_at: chat.at.toISOString(),
    old_icon: before,
    new_icon: icon,
  });
}

const LOCK_GROUP = statement(
  "lock-group",
  `select display_name, group_icon from chats where account_id = :accountId and id = :chatId for no key update`,
);

async function lockGroup(tx: Sql, { accountId, chatId }: ChangedChat): Promise<Before> {
  const [before] = await tx.run(LOCK_GROUP, { accountId, chatId });
  if (before === undefined) throw new Error("a chat vanished while it was changed");
  return before;
}
