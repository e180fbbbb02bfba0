import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { insertChatImage } from "@/lib/messaging/chats/stored-image";
import { changeGroupIcon, renameGroup } from "@/lib/messaging/groups/change-group";
import { receiveChange } from "@/lib/messaging/groups/receive-change";
import { withReceivedImage } from "@/lib/messaging/groups/receive-image";

/** Records that a member renamed a group: emits chat.group_name_updated. */
export async function receiveGroupName(line: LineRef, event: InEvent<"group_name">): Promise<void> {
  const name = event.name?.trim() || null;
  await receiveChange(line, event, (tx, { chat, by }) => renameGroup(tx, chat, name, by));
}

/** Records that a member changed or removed a group's icon: emits chat.group_icon_updated. */
export async function receiveGroupIcon(line: LineRef, event: InEvent<"group_icon">): Promise<void> {
  await withReceivedImage(line, event.image, (file) =>
    receiveChange(line, event, async (tx, { chat, by }) => {
      await changeGroupIcon(tx, chat, file && (await insertChatImage(tx, chat, file)), by);
    }),
  );
}
