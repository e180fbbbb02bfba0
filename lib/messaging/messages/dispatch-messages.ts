import "server-only";
import { advanceMessage, type Step } from "@/lib/messaging/messages/advance-message";
import { type AttemptResult, attemptSend } from "@/lib/messaging/messages/attempt-send";
import { type ClaimedMessage, createClaimer } from "@/lib/messaging/messages/claim-messages";
import { storeAdvance } from "@/lib/messaging/messages/store-advances";
import { now } from "@/lib/platform/clock";
import { log } from "@/lib/platform/log";
import { type Queue, startQueue } from "@/lib/platform/queue";

const POLL_MS = 500;
const CONCURRENCY = 128;
const CONCURRENCY_PER_LINE = 32;
const SEND_TIMEOUT_MS = 30_000;

const RENEW_MS = 2000;

/**
 * Sends what waits in `messages`: the oldest of each chat first and never two of a chat at once, chats beside each
 * other, at most 32 of a line. A message is claimed by a lease that is renewed while it is in hand, so what a dead
 * process held is taken over within seconds. `sendTimeoutMs`: how long a transport may take to answer.
 */
export function startDispatch(sendTimeoutMs = SEND_TIMEOUT_MS): Queue {
  const claimer = createClaimer(CONCURRENCY_PER_LINE);
  const renewing = setInterval(() => {
    claimer.renew().catch((error: unknown) => log.warn({ err: error }, "leases could not be renewed"));
  }, RENEW_MS);
  const queue = startQueue<ClaimedMessage>({
    name: "dispatch",
    topic: "messages",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    claim: claimer.claim,
    handle: (message) => dispatch(message, sendTimeoutMs).finally(() => claimer.release(message)),
  });
  return { stop: () => queue.stop().finally(() => clearInterval(renewing)) };
}

async function dispatch(message: ClaimedMessage, sendTimeoutMs: number): Promise<void> {
  const result = await attemptSend(message, sendTimeoutMs);
  const stored = await recordResult(message, result);
  if (!stored) {
    log.warn({ messageId: message.id, attempt: message.attempt }, "a send was answered after its lease");
  }
}

function recordResult(message: ClaimedMessage, result: AttemptResult): Promise<boolean> {
  const at = now();
  const step = stepOf(result, at);
  return storeAdvance({
    was: message,
    advance: step === null ? null : advanceMessage(message, step),
    attempt: message.attempt,
    dispatchAt: result.is === "held" || result.is === "again" ? new Date(at.getTime() + result.inMs) : null,
    refs: result.is === "sent" ? result.accepted.refs : [],
    groupRef: result.is === "sent" ? result.accepted.groupRef : null,
    at,
  });
}

function stepOf(result: AttemptResult, at: Date): Step | null {
  switch (result.is) {
    case "sent":
      return { trigger: "sent", at, service: result.accepted.service };
    case "failed":
      return {
        trigger: "failed",
        at,
        error: result.error,
        reason: result.reason,
        ...(result.service && { service: result.service }),
      };
    case "held":
      return { trigger: "held", at };
    case "again":
      return null;
  }
}
