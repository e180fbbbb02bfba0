import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { emitChatEvent } from "@/lib/messaging/chats/change-chat";
import { receiveChange } from "@/lib/messaging/groups/receive-change";
import { TYPING_EVENTS } from "@/lib/messaging/presence/typing-events";
import { holdTurns } from "@/lib/messaging/turns/hold-turns";

/** Emits chat.typing_indicator.started or stopped for a contact, whose open turn waits while they type. */
export async function receiveTyping(line: LineRef, event: InEvent<"typing">): Promise<void> {
  const typing =
    TYPING_EVENTS[event.isOn ? "chat.typing_indicator.started" : "chat.typing_indicator.stopped"];
  await receiveChange(line, event, async (tx, { chat, by, hasTurns }) => {
    if (hasTurns && by !== null) await holdTurns(tx, chat, { handle: by.handle, isTyping: event.isOn });
    await emitChatEvent(tx, chat, typing, { chat_id: chat.chatId, actor_handle: by });
  });
}
