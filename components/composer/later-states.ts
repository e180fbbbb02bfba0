import type { UnsentMessage } from "@/components/composer/stored-unsent";
import type { ApiFailure } from "@/lib/client/api-fetch";

/** What a later page finds is sent by itself only for this time: an older message would come as a surprise. */
const SEND_LATER_MS = 10 * 60_000;

/** What becomes of a message that has to be sent again; `reason`: why the server certainly did not accept it. */
export function toWaiting({ tries }: UnsentMessage, reason?: string): Partial<UnsentMessage> {
  return reason === undefined
    ? { state: "waiting" }
    : { state: "waiting", tries, refusal: { message: reason } };
}

/** What becomes of a message that the server refused. A try before that was not answered may have been accepted. */
export function toRefused({ tries }: UnsentMessage, failure: ApiFailure): Partial<UnsentMessage> {
  const { message, code, traceId, docUrl } = failure;
  return { state: "refused", isUncertain: tries > 0, refusal: { message, code, traceId, docUrl } };
}

/** Whether it is too old to be sent by itself, and its writer does not know that yet. */
export function isOverdue({ state, writtenAtMs }: UnsentMessage): boolean {
  return state !== "refused" && Date.now() - writtenAtMs > SEND_LATER_MS;
}

/** A message whose page was away. What was being sent when the page ended may have been accepted. */
export function toLate(message: UnsentMessage): UnsentMessage {
  if (message.state === "refused") return message;
  if (!isOverdue(message)) return { ...message, state: "waiting" };
  const isUncertain = message.tries > 0;
  const text = isUncertain
    ? "It is not known whether this message was sent, because its page was closed or suspended. Retry sends it only if it was not."
    : "This message was not sent, because its page was closed or suspended.";
  return { ...message, state: "refused", isUncertain, refusal: { message: text } };
}
