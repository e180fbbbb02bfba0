import type { UnsentMessage } from "@/components/composer/stored-unsent";
import { toContent } from "@/components/composer/to-content";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { reportAnswered } from "@/lib/client/connection";
import { SENDER_HEADER } from "@/lib/identity/sessions/sender-header";

/** A server that does not answer a send within this time is taken for gone. The same key makes it safe to send again. */
const SEND_TIMEOUT_MS = 10_000;
/** Answers of a proxy whose server is away, of a server that is overloaded, and of one that has signed the user out. */
const TRY_AGAIN = new Set([0, 401, 429, 502, 503, 504]);
/** The most characters of a message that a page can send while it is closed: browsers send at most 64 kB then. */
const MAX_LAST_CHARACTERS = 20_000;
const OTHER_SENDER =
  "Not sent yet: another user or account is signed in in this browser. It is sent when you are signed in to this account again.";

/**
 * The accepted message's ID, or why it was refused; null when it has to be sent again, because the outcome is unknown or,
 * with a `reason`, because the server certainly did not accept it.
 */
export type SendOutcome = { messageId: string } | { failure: ApiFailure | null; reason?: string };

/** Sends a message once, only as its sender. `isLeaving`: the request outlives its page. Never throws. */
export async function sendOnce(
  message: Pick<UnsentMessage, "key" | "sender" | "chatId" | "draft" | "override" | "lastMessageId">,
  isLeaving = false,
): Promise<SendOutcome> {
  const { key, sender, chatId, draft, override, lastMessageId } = message;
  const content = toContent(draft);
  if (content === null) return { failure: new ApiFailure(400, "The message is empty.") };
  const sending = { ...content, idempotency_key: key };
  const over = override === null ? {} : { override_optout: true, override_reason: override };
  try {
    const sent = await apiFetch<{ message: { id: string } }>(`/api/chats/${chatId}/messages`, {
      method: "POST",
      body: { message: sending, ...over, last_message_id: lastMessageId },
      headers: { [SENDER_HEADER]: encodeURIComponent(sender) },
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      keepalive: isLeaving && JSON.stringify(sending).length <= MAX_LAST_CHARACTERS,
    });
    return { messageId: sent.message.id };
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status === 0) reportAnswered(false);
    else if (error.status === 409 && error.code === 2005) return { failure: null, reason: OTHER_SENDER };
    else if (!TRY_AGAIN.has(error.status)) return { failure: error };
    return { failure: null };
  }
}
