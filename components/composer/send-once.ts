import type { Unanswered } from "@/components/composer/later-states";
import type { UnsentMessage } from "@/components/composer/stored-unsent";
import { toContent } from "@/components/composer/to-content";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { reportAnswered } from "@/lib/client/connection";
import { senderHeader } from "@/lib/identity/sessions/sender";

/** A server that does not answer a send within this time is taken for gone. The same key makes it safe to send again. */
const SEND_TIMEOUT_MS = 10_000;
/** Answers of a proxy, which have no code: its server is away or overloaded. So is any of 500 or more. */
const OF_PROXY = new Set([408, 429]);
/** A database that does not answer may have stored the message. */
const UNAVAILABLE = 4004;
/** The check for RCS could not run. Nothing was accepted. */
const NOT_CHECKED = 4010;
/** The most characters of a message that a page can send while it is closed: browsers send at most 64 kB then. */
const MAX_LAST_CHARACTERS = 20_000;

/** The accepted message's ID, the error of a refusal, or why the message has to be sent again. */
type SendOutcome = { messageId: string } | { failure: ApiFailure } | Unanswered;

/** Sends a message once, only as its sender. `isLeaving`: the request outlives its page. Never throws. */
export async function sendOnce(message: UnsentMessage, isLeaving = false): Promise<SendOutcome> {
  const { key, sender, chatId, draft, override, isInComposer } = message;
  const content = toContent(draft);
  if (content === null) return { failure: new ApiFailure(400, "The message is empty.") };
  const sending = { ...content, idempotency_key: key };
  // Only what is sent later may miss an answer of the customer.
  const lastMessageId = isInComposer ? undefined : message.lastMessageId;
  const over = override === null ? {} : { override_optout: true, override_reason: override };
  try {
    const sent = await apiFetch<{ message: { id: string } }>(`/api/chats/${chatId}/messages`, {
      method: "POST",
      body: { message: sending, ...over, last_message_id: lastMessageId },
      headers: senderHeader(sender),
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      keepalive: isLeaving && JSON.stringify(sending).length <= MAX_LAST_CHARACTERS,
    });
    return { messageId: sent.message.id };
  } catch (error) {
    if (error instanceof ApiFailure && error.status !== 0) return toOutcome(error);
    reportAnswered(false);
    return { reason: null, isUncertain: true };
  }
}

/** What an error response means. Limits (429/1007), like opt-outs, are final: their reason says when to try again. */
function toOutcome(failure: ApiFailure): SendOutcome {
  const { status, code, message, isFinal } = failure;
  if (status === 401) return { reason: "you were signed out", isUncertain: false };
  if (status === 409 && code === 2005) {
    return { reason: "another user or account is signed in in this browser", isUncertain: false };
  }
  if (code === undefined && (status >= 500 || OF_PROXY.has(status)))
    return { reason: null, isUncertain: true };
  // RCS that is off has the code of a database that is away, but stays off.
  if (!isFinal && (code === UNAVAILABLE || code === NOT_CHECKED)) {
    return { reason: `the server answered “${message}”`, isUncertain: code === UNAVAILABLE };
  }
  return { failure };
}
