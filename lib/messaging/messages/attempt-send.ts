import "server-only";
import type { AdapterError } from "@/lib/adapters/adapter-error";
import type { Accepted, Outbound, OutPart } from "@/lib/adapters/transports/outbound";
import { transportOf } from "@/lib/adapters/transports/registry";
import type { Cap, Transport } from "@/lib/adapters/transports/transport";
import { toAdapterError, withinTime } from "@/lib/adapters/within-time";
import { chooseLineService } from "@/lib/messaging/messages/choose-line-service";
import { type ClaimedMessage, lineOf } from "@/lib/messaging/messages/claim-messages";
import { deliveredParts } from "@/lib/messaging/messages/delivered-parts";
import { findVendorRef } from "@/lib/messaging/messages/find-vendor-ref";
import { CONSEQUENCES, retryDelayMs } from "@/lib/messaging/messages/send-failure";
import type { ErrorName } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** The outcome of one attempt. `service` = the service that was attempted, where one could be chosen. */
export type AttemptResult =
  | { is: "sent"; accepted: Accepted }
  | { is: "failed"; error: ErrorName; reason: string; service?: ServiceType }
  | { is: "held" | "again"; inMs: number };

/**
 * Makes one attempt to send a claimed message. An earlier attempt that died or timed out is asked about, never repeated
 * blindly: what the transport has is sent, what it surely lacks is sent again, all else is 4006 (partner-api.md, Errors).
 */
export async function attemptSend(message: ClaimedMessage, timeoutMs: number): Promise<AttemptResult> {
  const transport = transportOf(message.transport);
  if (!message.unanswered) return send(transport, message, timeoutMs);
  return (await ask(transport, message, timeoutMs)) ?? send(transport, message, timeoutMs);
}

async function send(
  transport: Transport,
  message: ClaimedMessage,
  timeoutMs: number,
): Promise<AttemptResult> {
  const service = await chooseLineService(
    {
      line: lineOf(message),
      transport: message.transport,
      lineHasRcs: message.line_has_rcs,
      recipients: message.recipients,
    },
    message.preferred_service,
    timeoutMs,
  );
  if (service === null) return failed("type_not_supported", "no service reaches every recipient");

  const caps = transport.caps(service);
  if (message.is_group && !caps.has("group")) {
    return failed("type_not_supported", `groups are not supported over ${service}`, service);
  }
  const parts = await deliveredParts(message, caps);
  if ("reason" in parts) return failed(parts.error, parts.reason, service);
  const delivered = { caps, parts: parts.parts, replyTo: await replyOf(message, caps) };
  try {
    const accepted = await withinTime(timeoutMs, (signal) =>
      transport.send(toOutbound(message, service, delivered), signal),
    );
    return { is: "sent", accepted };
  } catch (error) {
    return afterFailure(transport, message, { error: toAdapterError(error), service, timeoutMs });
  }
}

interface Failure {
  error: AdapterError;
  service: ServiceType;
  timeoutMs: number;
}

async function afterFailure(
  transport: Transport,
  message: ClaimedMessage,
  { error, service, timeoutMs }: Failure,
): Promise<AttemptResult> {
  const consequence = CONSEQUENCES[error.kind];
  if (consequence.next === "fail") return failed(consequence.error, error.message, service);
  if (consequence.next !== "ask") {
    const is = consequence.next === "hold" ? "held" : "again";
    return retry(message, {
      is,
      error: consequence.error,
      reason: error.message,
      afterMs: error.retryAfterMs,
    });
  }
  const found = await ask(transport, message, timeoutMs);
  if (found?.is === "failed") return { ...found, service };
  return found ?? retry(message, { is: "again", error: "attempts_exhausted", reason: error.message });
}

/** What the transport knows of an unanswered attempt; null when it was certainly not sent. */
async function ask(
  transport: Transport,
  message: ClaimedMessage,
  timeoutMs: number,
): Promise<AttemptResult | null> {
  const outcome = await withinTime(timeoutMs, () => transport.outcome(lineOf(message), message.id)).catch(
    (error: unknown) => {
      log.warn({ err: error, messageId: message.id }, "the outcome of a send could not be queried");
      return { state: "unknown" as const };
    },
  );
  if (outcome.state === "accepted") return { is: "sent", accepted: outcome.accepted };
  return outcome.state === "absent"
    ? null
    : failed("send_timed_out", "the transport does not report this capability");
}

function failed(error: ErrorName, reason: string, service?: ServiceType): AttemptResult {
  return { is: "failed", error, reason, ...(service && { service }) };
}

interface Retry {
  is: "held" | "again";
  /** The error the message fails with when this was the last attempt. */
  error: ErrorName;
  reason: string;
  afterMs?: number;
}

function retry(message: ClaimedMessage, { is, error, reason, afterMs = 0 }: Retry): AttemptResult {
  const delayMs = retryDelayMs(message.attempt);
  return delayMs === null ? failed(error, reason) : { is, inMs: Math.max(delayMs, afterMs) };
}

interface Delivered {
  caps: ReadonlySet<Cap>;
  parts: OutPart[];
  replyTo: Outbound["replyTo"];
}

// An answer to what the transport never had is sent all the same, as a message of its own.
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
