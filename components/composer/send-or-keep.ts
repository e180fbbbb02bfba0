import {
  addUnsent,
  currentHoldMs,
  listUnsent,
  type SendOutcome,
  sendOnce,
} from "@/components/composer/outbox";
import type { UnsentMessage } from "@/components/composer/stored-unsent";
import { currentConnection } from "@/lib/client/connection";

/**
 * Sends a draft, or keeps it in the thread: a message that can be taken back, that the server does not answer, or that is
 * written after such a message. `failure`: why it was refused; null when it is kept.
 */
export async function sendOrKeep(
  message: Pick<UnsentMessage, "key" | "sender" | "chatId" | "draft" | "override" | "lastMessageId">,
): Promise<SendOutcome> {
  const { key, sender, chatId, draft, override } = message;
  // What overrides an opt-out was confirmed already, and is one message.
  const holdMs = override === null ? currentHoldMs() : 0;
  const isFirst = !listUnsent().some(
    (each) => each.sender === sender && each.chatId === chatId && each.state !== "refused",
  );
  const isTried = holdMs === 0 && isFirst && currentConnection() !== "offline";
  const outcome = isTried ? await sendOnce(chatId, draft, { key, override }) : { failure: null };
  if ("failure" in outcome && outcome.failure === null) {
    addUnsent({ ...message, tries: isTried ? 1 : 0 }, holdMs);
  }
  return outcome;
}
