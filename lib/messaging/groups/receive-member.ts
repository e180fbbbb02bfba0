import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { addMember, removeMember } from "@/lib/messaging/groups/change-members";
import { receiveChange } from "@/lib/messaging/groups/receive-change";

/**
 * Records that a participant joined a group, left it or was removed: emits participant.added or participant.removed,
 * once. When the line itself leaves, the chat is unavailable until the line is added again. Reports about the line count
 * also while the line leaves: the vendor may refuse the leave of a line that was removed.
 */
export async function receiveMember(line: LineRef, event: InEvent<"member">): Promise<void> {
  const { handle, change } = event;
  await receiveChange(
    line,
    event,
    (tx, { chat }) =>
      change === "added" ? addMember(tx, chat, handle) : removeMember(tx, chat, handle, change),
    handle === line.phoneNumber,
  );
}
