import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { type AdapterError, PartlySent } from "@/lib/adapters/adapter-error";
import type { Accepted, Outbound, OutPart } from "@/lib/adapters/transports/outbound";
import { transportOf } from "@/lib/adapters/transports/registry";
import type { Cap, Transport } from "@/lib/adapters/transports/transport";
import { toAdapterError, withTimeout } from "@/lib/adapters/with-timeout";
import { isCurrentConnection } from "@/lib/lines/connections/line-connection";
import { advanceMessage, type Step } from "@/lib/messaging/dispatch/advance-message";
import { Claimer, lineOf } from "@/lib/messaging/dispatch/claim/claim-messages";
import type { ClaimedMessage } from "@/lib/messaging/dispatch/claim/claim-statement";
import { readInProgress } from "@/lib/messaging/dispatch/claim/read-in-progress";
import { deliveredParts } from "@/lib/messaging/dispatch/compose/delivered-parts";
import { CONSEQUENCES, sendRetryDelayMs } from "@/lib/messaging/dispatch/send-failure";
import { type StoredAdvance, storeAdvance } from "@/lib/messaging/dispatch/store-advance";
import { traceDispatch, traceSend } from "@/lib/messaging/dispatch/trace-dispatch";
import { findVendorRef } from "@/lib/messaging/messages/find-vendor-ref";
import type { MessageSnapshot } from "@/lib/messaging/messages/message-snapshot";
import { chooseLineService, isLineDown } from "@/lib/messaging/sending/choose-service";
import { outageOf } from "@/lib/platform/database/database-outage";
import { hasRows } from "@/lib/platform/database/has-rows";
import { type AfterItem, type Queue, startQueue } from "@/lib/platform/database/queue";
import { wakeLocally } from "@/lib/platform/database/wake";
import type { ErrorName } from "@/lib/platform/errors/errors";
import { timeOfId } from "@/lib/platform/ids";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import { log } from "@/lib/platform/telemetry/log";
import { dispatchLag, sendResults } from "@/lib/platform/telemetry/metrics";
import { isTracing, spanTime } from "@/lib/platform/telemetry/spans";
import { now, wallMs } from "@/lib/platform/time/clock";

const POLL_MS = 500;
const CONCURRENCY = 256;
// Messages that are sent at once share their statements. With fewer, a busy line sends slower than a busy machine could.
const CONCURRENCY_PER_LINE = 64;
const SEND_TIMEOUT_MS = 30_000;

const RENEW_MS = 2000;

/**
 * Sends the pending messages: each chat's in order and one at a time, chats in parallel, at most 64 messages per line
 * at once. A message is claimed by a lease that is renewed while it is in progress, so another process takes over the
 * messages of a dead one within seconds. Messages of a line with a throughput wait for their turn before they are
 * claimed, so waiting is no attempt. `sendTimeoutMs` limits the response time of a transport.
 */
export function startDispatch(sendTimeoutMs = SEND_TIMEOUT_MS): Queue {
  const claimer = new Claimer(CONCURRENCY_PER_LINE);
  const renewing = setInterval(() => {
    claimer.renew().catch((error: unknown) => log.warn({ err: error }, "leases could not be renewed"));
  }, RENEW_MS);
  let turn: NodeJS.Timeout | undefined;
  const queue = startQueue<ClaimedMessage, AfterItem>({
    name: "dispatch",
    topic: "messages",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    hasWaiting: () => hasRows("messages", "dispatch_at is not null"),
    async claim(limit) {
      const claimed = await claimer.claim(limit);
      const lookInMs = claimer.lookInMs();
      clearTimeout(turn);
      if (lookInMs !== null) turn = setTimeout(() => wakeLocally("messages"), wallMs(lookInMs));
      return claimed;
    },
    async handle(message) {
      const chatHasMore = await dispatch(message, sendTimeoutMs).catch((error: unknown) => {
        claimer.release(message);
        throw error;
      });
      const next = claimer.release(message);
      return chatHasMore ? "claim" : next;
    },
    afterItem({ result, isWoken, wasFull }) {
      if (result === null || wasFull) return "claim";
      // A message accepted while this one was in progress may wait behind it without being counted.
      return result === "wait" && isWoken ? "claim soon" : result;
    },
  });
  return {
    async stop() {
      await queue.stop().finally(() => clearInterval(renewing));
      clearTimeout(turn);
    },
  };
}

/** Sends a claimed message and stores the result. Returns whether another message of its chat is waiting for it. */
export async function dispatch(message: ClaimedMessage, sendTimeoutMs: number): Promise<boolean> {
  if (message.starts_in_ms !== null && message.starts_in_ms > 0) await sleep(wallMs(message.starts_in_ms));
  // The messages of a line with a throughput wait on purpose.
  if (message.attempt === 1 && message.starts_in_ms === null)
    dispatchLag.observe(Math.max(0, now().getTime() - timeOfId(message.id)) / 1000);
  const started = spanTime();
  const result = await attemptSend(message, sendTimeoutMs);
  sendResults.inc({ transport: message.transport, result: result.type });
  const stored = await recordResult(message, result);
  if (isTracing()) traceDispatch(message, { start: started, result });
  if (stored === null) {
    log.warn({ messageId: message.id, attempt: message.attempt }, "a send was answered after its lease");
  }
  return stored === null || stored.chatHasMore;
}

/** Stores the result of an attempt, after a receipt that changed the message meanwhile. */
async function recordResult(message: ClaimedMessage, result: AttemptResult): Promise<StoredAdvance | null> {
  const stored = await storeResult(message, message, result);
  if (stored !== null) return stored;
  const changed = await readInProgress(message);
  return changed === null ? null : storeResult(message, changed, result);
}

function storeResult(
  message: ClaimedMessage,
  was: MessageSnapshot,
  result: AttemptResult,
): Promise<StoredAdvance | null> {
  const at = now();
  const step = stepOf(was, result, at);
  const accepted = result.type === "sent" ? result.accepted : null;
  return storeAdvance({
    was,
    advance: step === null ? null : advanceMessage(was, step),
    attempt: message.attempt,
    dispatchAt: "inMs" in result ? new Date(at.getTime() + result.inMs) : null,
    refs: accepted?.refs ?? [],
    groupRef: accepted?.groupRef ?? null,
    vendor: message.vendor,
    isUncertain: "inMs" in result && result.isUncertain,
    at,
  });
}

function stepOf(was: MessageSnapshot, result: AttemptResult, at: Date): Step | null {
  switch (result.type) {
    case "sent":
      return {
        type: result.accepted.isDelivered ? "delivered" : "sent",
        at,
        service: result.accepted.service,
      };
    case "failed":
      // A receipt has proven what the attempt could not find out.
      return result.error === "send_timed_out" && isProven(was) ? null : { ...result, at };
    case "held":
      return { type: "held", at };
    case "again":
      return null;
  }
}

function isProven({ delivery_status: status }: MessageSnapshot): boolean {
  return status !== "pending" && status !== "queued";
}

/** The outcome of one attempt. `service` = the service that was attempted, if one could be chosen. */
type AttemptResult =
  | { type: "sent"; accepted: Accepted }
  | { type: "failed"; error: ErrorName; reason: string; service?: ServiceType }
  /** `isUncertain` = the vendor may have the message. */
  | { type: "held" | "again"; inMs: number; isUncertain: boolean };

/**
 * Makes one attempt to send a claimed message. If the vendor may have the message since an earlier attempt, asks the
 * transport first: a message that the vendor has counts as sent, one that it certainly lacks is sent again, and any
 * other fails with 4006 (docs/contract.md, section 7.5). So does a message that the vendor of another connection may
 * have, because only that vendor recognizes it (docs/decisions/0019).
 */
async function attemptSend(message: ClaimedMessage, timeoutMs: number): Promise<AttemptResult> {
  const { attempted_connection, connection_number, unanswered } = message;
  const attempt = { transport: transportOf(message.transport), message, timeoutMs };
  if (attempted_connection === null && !unanswered) return send(attempt, false);
  if ((attempted_connection ?? connection_number) !== connection_number) {
    return failed("send_timed_out", SWITCHED);
  }
  const { result, isUncertain } = await ask(attempt);
  return result ?? send(attempt, isUncertain);
}

const SWITCHED = "the line changed its transport while the outcome of the send was unknown";

interface Attempt {
  transport: Transport;
  message: ClaimedMessage;
  timeoutMs: number;
}

/** Sends the message. `isUncertain`: the vendor may have it already, and recognizes the repeat. */
async function send(attempt: Attempt, isUncertain: boolean): Promise<AttemptResult> {
  const { transport, message, timeoutMs } = attempt;
  let service: ServiceType | null;
  try {
    service = await chooseLineService(
      {
        line: lineOf(message),
        transport: message.transport,
        lineHasRcs: message.line_has_rcs,
        recipients: message.recipients,
      },
      message.preferred_service,
      timeoutMs,
    );
  } catch (error) {
    if (!isLineDown(error)) throw error;
    return afterFailure(attempt, { error, isUncertain });
  }
  if (service === null) {
    return refuse(attempt, isUncertain, failed("type_not_supported", "no service reaches every recipient"));
  }
  const caps = transport.caps(service);
  if (message.is_group && !caps.has("group")) {
    const reason = `groups are not supported over ${service}`;
    return refuse(attempt, isUncertain, failed("type_not_supported", reason, service));
  }
  const parts = await deliveredParts(message, caps);
  if ("reason" in parts) return refuse(attempt, isUncertain, failed(parts.error, parts.reason, service));
  const delivered = { caps, parts: parts.parts, replyTo: await replyOf(message, caps) };
  try {
    const accepted = await traceSend(message, service, () =>
      withTimeout(timeoutMs, (signal) => transport.send(toOutbound(message, service, delivered), signal)),
    );
    return { type: "sent", accepted };
  } catch (error) {
    return afterFailure(attempt, { error: toAdapterError(error), isUncertain, service });
  }
}

interface Failure {
  error: AdapterError;
  isUncertain: boolean;
  service?: ServiceType;
}

/**
 * The result of an attempt that failed. The refusal of an attempt says nothing about the earlier ones, so the message
 * stays uncertain until the vendor reports its outcome.
 */
async function afterFailure(
  attempt: Attempt,
  { error, isUncertain, service }: Failure,
): Promise<AttemptResult> {
  const consequence = CONSEQUENCES[error.kind];
  if (consequence.next === "fail") {
    return refuse(attempt, isUncertain, failed(consequence.error, error.message, service));
  }
  if (consequence.next !== "ask") {
    const type = consequence.next === "hold" ? "held" : "again";
    const retried = { type, error: consequence.error, reason: error.message } as const;
    const mayBeSent = isUncertain || error instanceof PartlySent;
    return retry(attempt.message, { ...retried, afterMs: error.retryAfterMs, isUncertain: mayBeSent });
  }
  const asked = await ask(attempt);
  if (asked.result?.type === "failed") return { ...asked.result, ...(service && { service }) };
  if (asked.result !== null) return asked.result;
  const again = { type: "again", error: "attempts_exhausted", reason: error.message } as const;
  return retry(attempt.message, { ...again, isUncertain: asked.isUncertain });
}

/** Fails the message: with 4006 if an earlier attempt may have sent it, and its vendor does not deny that. */
async function refuse(attempt: Attempt, isUncertain: boolean, result: FailedResult): Promise<AttemptResult> {
  if (!isUncertain) return result;
  const asked = await ask(attempt);
  if (asked.result !== null) return asked.result;
  return asked.isUncertain ? { ...result, error: "send_timed_out" } : result;
}

type FailedResult = Extract<AttemptResult, { type: "failed" }>;

/**
 * Asks the transport about an attempt without a response. `result` is null when the message can be sent again over the
 * same connection: it was certainly not sent, or the vendor recognizes the repeat (`isUncertain`). Throws in a database
 * outage: the transport is asked again after the lease.
 */
async function ask({
  transport,
  message,
  timeoutMs,
}: Attempt): Promise<{ result: AttemptResult | null; isUncertain: boolean }> {
  const outcome = await withTimeout(timeoutMs, () => transport.outcome(lineOf(message), message.id)).catch(
    (error: unknown) => {
      if (outageOf(error) !== null) throw error;
      log.warn({ err: error, messageId: message.id }, "the outcome of a send could not be queried");
      return { state: "unknown" as const };
    },
  );
  const isUncertain = outcome.state !== "absent";
  if (outcome.state === "accepted") {
    return { result: { type: "sent", accepted: outcome.accepted }, isUncertain };
  }
  if (outcome.state === "unknown") {
    const reason = "the transport does not report the outcome of the send";
    return { result: failed("send_timed_out", reason), isUncertain };
  }
  // The answer may be that of another vendor.
  const isSame = await isCurrentConnection(lineOf(message), message.connection_number);
  return { result: isSame ? null : failed("send_timed_out", SWITCHED), isUncertain };
}

function failed(error: ErrorName, reason: string, service?: ServiceType): FailedResult {
  return { type: "failed", error, reason, ...(service && { service }) };
}

interface Retry {
  type: "held" | "again";
  /** The error the message fails with when this was the last attempt, unless the vendor may have the message. */
  error: ErrorName;
  reason: string;
  afterMs?: number | undefined;
  isUncertain: boolean;
}

function retry(
  message: ClaimedMessage,
  { type, error, reason, afterMs = 0, isUncertain }: Retry,
): AttemptResult {
  const delayMs = sendRetryDelayMs(message.attempt);
  if (delayMs === null) return failed(isUncertain ? "send_timed_out" : error, reason);
  return { type, inMs: Math.max(delayMs, afterMs), isUncertain };
}

interface Delivered {
  caps: ReadonlySet<Cap>;
  parts: OutPart[];
  replyTo: Outbound["replyTo"];
}

// A reply to a message that the transport never had is sent without the reference.
async function replyOf(message: ClaimedMessage, caps: ReadonlySet<Cap>): Promise<Outbound["replyTo"]> {
  if (message.reply_to === null || !caps.has("reply")) return null;
  const ref = await findVendorRef(message.account_id, message.reply_to.message_id);
  return ref === null ? null : { ref, part: message.reply_to.part_index };
}

function toOutbound(
  message: ClaimedMessage,
  service: ServiceType,
  { caps, parts, replyTo }: Delivered,
): Outbound {
  return {
    id: message.id,
    line: lineOf(message),
    service,
    to: message.recipients,
    group: message.is_group ? { chatId: message.chat_id, ref: message.group_ref } : null,
    parts,
    effect: caps.has("effect") ? message.effect : null,
    replyTo,
  };
}
