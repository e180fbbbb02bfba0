import { addUnsent, listUnsent, takeOverLeft } from "@/components/composer/outbox";
import { type SendOutcome, sendOnce } from "@/components/composer/send-once";
import type { UnsentMessage } from "@/components/composer/stored-unsent";
import { UNDO_MS, UNDO_OFF, UNDO_SEND } from "@/components/composer/undo-send";
import { currentConnection } from "@/lib/client/connection";

/**
 * Sends a draft, or keeps it in the thread: a message that can be taken back, that the server does not answer, or that is
 * written after such a message. `failure`: why it was refused; null when it is kept.
 */
export async function sendOrKeep(
  message: Pick<UnsentMessage, "key" | "sender" | "chatId" | "draft" | "override" | "lastMessageId">,
): Promise<SendOutcome> {
  const { key, sender, chatId, draft, override } = message;
  takeOverLeft(sender);
  // What overrides an opt-out was confirmed already, and is one message.
  const holdMs = override === null ? currentHoldMs() : 0;
  const isFirst = !listUnsent().some(
    (each) => each.sender === sender && each.chatId === chatId && each.state !== "refused",
  );
  const isTried = holdMs === 0 && isFirst && currentConnection() !== "offline";
  const outcome: SendOutcome = isTried
    ? await sendOnce({ key, sender, chatId, draft, override })
    : { failure: null };
  if ("failure" in outcome && outcome.failure === null) {
    const isUncertain = isTried && outcome.reason === undefined;
    addUnsent({ ...message, tries: isUncertain ? 1 : 0 }, holdMs);
  }
  return outcome;
}

/** How long the user can take back a message that is written now. 0: never, or there is no connection anyway. */
export function currentHoldMs(): number {
  if (currentConnection() !== "online") return 0;
  try {
    return localStorage.getItem(UNDO_SEND) === UNDO_OFF ? 0 : UNDO_MS;
  } catch {
    return UNDO_MS;
  }
}
