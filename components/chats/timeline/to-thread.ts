import type { Thread } from "@/components/chats/timeline/thread";
import { COMPOSER_FIELD_ID } from "@/components/composer/field-id";
import type { DraftState } from "@/components/composer/use-draft";
import type { SendBlocker } from "@/lib/messaging/sending/send-blocker";

interface ThreadDetails {
  sendBlockers: readonly SendBlocker[];
  maySend: boolean;
  line: string | null;
  writing: DraftState;
  refresh: Thread["refresh"];
}

const UNUSABLE = new Set<SendBlocker["reason"]>(["chat_left", "line_flagged"]);

/**
 * Builds the thread. Reactions, edits and votes need a usable line; replies also need a chat without send blockers.
 */
export function toThread({ sendBlockers, maySend, line, writing, refresh }: ThreadDetails): Thread {
  const isClosed = !maySend || sendBlockers.some(({ refuses }) => refuses);

  const reply: Thread["reply"] = (message, partIndex, quote) => {
    const writer = message.is_from_me ? "this line" : (message.from ?? "the recipient");
    writing.change({ reply: { messageId: message.id, partIndex, writer, quote } });
    // Wait until the closing menu has returned the focus.
    setTimeout(() => document.getElementById(COMPOSER_FIELD_ID)?.focus());
  };

  return {
    mayAct: maySend,
    isUsable: !sendBlockers.some(({ reason }) => UNUSABLE.has(reason)),
    line,
    reply: isClosed ? null : reply,
    refresh,
  };
}
