import { EMPTY_DRAFT } from "@/components/composer/draft";
import { addUnsent, deliverChat } from "@/components/composer/outbox";
import {
  change,
  isStored,
  listUnsent,
  removeUnsent,
  takeOverEnded,
} from "@/components/composer/page-messages";
import { attemptKey, endAttempt } from "@/components/composer/schedule-attempt";
import type { UnsentMessage } from "@/components/composer/stored-unsent";
import { UNDO_MS, UNDO_OFF, UNDO_SEND } from "@/components/composer/undo-send";
import { saveDraft } from "@/components/composer/use-draft";
import { currentConnection } from "@/lib/client/connection";
import { randomKey } from "@/lib/client/random-key";

/**
 * Stores a message, then sends it, or keeps it in the thread: one that can be taken back, that the server does not accept,
 * or that is written after such a message. `onKept`: the draft can be cleared, before the message is sent. Returns the
 * accepted message's ID; null when it is in the thread.
 */
export async function sendOrKeep(
  written: Pick<UnsentMessage, "sender" | "chatId" | "draft" | "override" | "lastMessageId">,
  onKept: () => void,
): Promise<string | null> {
  const { sender, chatId, draft, override } = written;
  const taking = takeOverEnded(sender);
  if (taking !== null) await taking;
  // What overrides an opt-out was confirmed already, and is one message.
  const holdMs = override === null ? currentHoldMs() : 0;
  const isFirst = !listUnsent().some(
    (each) => each.sender === sender && each.chatId === chatId && each.state !== "refused",
  );
  const isInComposer = holdMs === 0 && isFirst && currentConnection() !== "offline";
  // It may have been scheduled already, by an attempt whose answer was lost.
  const key = attemptKey(chatId, draft) ?? randomKey();
  endAttempt(chatId);
  addUnsent({ ...written, key, isInComposer }, holdMs);
  onKept();
  // A reload now must not show it twice.
  if (isStored(key)) saveDraft(chatId, EMPTY_DRAFT);
  if (!isInComposer) return null;

  await deliverChat(sender, chatId);
  const sent = listUnsent().find((each) => each.key === key);
  if (sent?.state === "accepted") removeUnsent(key);
  else change(key, { isInComposer: false });
  return sent?.messageId ?? null;
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
