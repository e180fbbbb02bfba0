import type { Draft } from "@/components/composer/draft";
import { toContent } from "@/components/composer/to-content";
import { randomKey } from "@/lib/client/random-key";

const nameOf = (chatId: string) => `trunkline:draft:${chatId}:attempt`;
const contentOf = (draft: Draft) => JSON.stringify(toContent(draft));

/**
 * The idempotency key with which a draft is scheduled. An attempt whose answer was lost may have been accepted: until
 * `endAttempt`, the same content has the same key, for whatever time. Stored as drafts are, and cleared with them.
 */
export function beginAttempt(chatId: string, draft: Draft): string {
  const key = attemptKey(chatId, draft) ?? randomKey();
  try {
    sessionStorage.setItem(nameOf(chatId), JSON.stringify({ content: contentOf(draft), key }));
  } catch {
    // Without session storage, a repeated attempt has another key.
  }
  return key;
}

/** The key with which an attempt to schedule this content was made; null without one. */
export function attemptKey(chatId: string, draft: Draft): string | null {
  try {
    const attempt = JSON.parse(sessionStorage.getItem(nameOf(chatId)) ?? "null");
    return attempt?.content === contentOf(draft) ? attempt.key : null;
  } catch {
    return null;
  }
}

/** Ends the attempt of a chat: its outcome is known, its key was used, or something else is written. */
export function endAttempt(chatId: string): void {
  try {
    sessionStorage.removeItem(nameOf(chatId));
  } catch {
    // Without session storage, there is no attempt to end.
  }
}
