import type { UnsentMessage } from "@/components/composer/stored-unsent";
import type { ApiFailure } from "@/lib/client/api-fetch";

/** What a later page finds is sent by itself only for this time: an older message would come as a surprise. */
const SEND_LATER_MS = 10 * 60_000;

/** No answer, or one after which a message has to be sent again. */
export interface Unanswered {
  /** Why, as the end of a sentence with "because"; null if no answer came. */
  reason: string | null;
  /** Whether the message may have been accepted. */
  isUncertain: boolean;
}

type NextState = Partial<UnsentMessage> & Pick<UnsentMessage, "state">;

/**
 * What becomes of a message that has to be sent again. One whose sends are answered waits for ten minutes at most, from the
 * first answer with a reason after the server did not answer.
 */
export function toWaiting(message: UnsentMessage, { reason, isUncertain }: Unanswered): NextState {
  const tries = message.tries + (isUncertain ? 1 : 0);
  if (reason === null) return { state: "waiting", tries, answeredSinceMs: undefined };
  const answeredSinceMs = message.answeredSinceMs ?? Date.now();
  if (Date.now() - answeredSinceMs > SEND_LATER_MS) return toGivenUp(tries, reason);
  const text = `Not ${tries > 0 ? "confirmed" : "sent"} yet, because ${reason}. The message is sent, once, when this ends within ten minutes.`;
  return { state: "waiting", tries, answeredSinceMs, refusal: { message: text } };
}

/** What becomes of a message that the server refused. A try before that was not answered may have been accepted. */
export function toRefused({ tries }: UnsentMessage, failure: ApiFailure): NextState {
  const { message, code, traceId, docUrl } = failure;
  return { state: "refused", isUncertain: tries > 0, refusal: { message, code, traceId, docUrl } };
}

/** Whether it is too old to be sent by itself, and its writer does not know that yet. */
export function isOverdue({ state, writtenAtMs }: UnsentMessage): boolean {
  return state !== "refused" && Date.now() - writtenAtMs > SEND_LATER_MS;
}

/** A message that was not sent for a while, because its page was closed or suspended. What was tried may have been accepted. */
export function toLate(message: UnsentMessage): UnsentMessage {
  if (message.state === "refused") return message;
  const late = { ...message, isInComposer: false };
  if (!isOverdue(message)) return { ...late, state: "waiting" };
  return { ...late, ...toGivenUp(message.tries, "its page was closed or suspended") };
}

function toGivenUp(tries: number, reason: string): NextState {
  const isUncertain = tries > 0;
  const text = isUncertain
    ? `It is not known whether this message was sent, because ${reason}. Retry sends it only if it was not.`
    : `This message was not sent, because ${reason}.`;
  return { state: "refused", tries, isUncertain, refusal: { message: text } };
}
