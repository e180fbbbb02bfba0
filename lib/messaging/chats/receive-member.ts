import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { addMember, removeMember } from "@/lib/messaging/chats/change-members";
import { receiveChange } from "@/lib/messaging/chats/receive-change";

/**
 * Somebody was added to a group, was removed, or left: participant.added or participant.removed, once. Our own line too:
 * without it the chat is unavailable, and again usable when it is back.
 */
export async function receiveMember(line: LineRef, event: InEvent<"member">): Promise<void> {
  const { handle, change } = event;
  const isOwnReturn = change === "added" && handle === line.phoneNumber;
  await receiveChange(
    line,
    event,
    (tx, { chat }) =>
      change === "added" ? addMember(tx, chat, handle) : removeMember(tx, chat, handle, change),
    isOwnReturn,
  );
}
