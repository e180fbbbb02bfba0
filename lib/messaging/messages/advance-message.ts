import "server-only";
import type { NewEvent } from "@/lib/events/emit-event";
import {
  type Milestone,
  milestonesOf,
  nextStatus,
  type Trigger,
} from "@/lib/messaging/messages/delivery-status";
import { type MessageSnapshot, toMessageFacts, toPollFacts } from "@/lib/messaging/messages/message-snapshot";
import { ERRORS, type ErrorName } from "@/lib/platform/errors";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** Something that happened to a message of ours. `service` = what it went over, where that is news. */
export type Step = { at: Date; service?: ServiceType } & (
  | { trigger: Exclude<Trigger, "failed"> }
  | { trigger: "failed"; error: ErrorName; reason: string }
);

/** The message after a step, and the events that tell of it. */
export interface Advance {
  message: MessageSnapshot;
  failure: { code: number; reason: string } | null;
  events: NewEvent[];
}

/** Applies the delivery state machine to one message; null when the step changes nothing. Each milestone has one event. */
export function advanceMessage(message: MessageSnapshot, step: Step): Advance | null {
  const service = step.service ?? message.service;
  const status = nextStatus(message.delivery_status, step.trigger, {
    service,
    isGroup: message.is_group,
    outcomeUnknown: message.failure_code === ERRORS.send_timed_out.code,
  });
  if (status === message.delivery_status) return null;

  if (step.trigger === "failed") return failMessage({ ...message, service }, step);
  if (status === "queued") return holdMessage(message, step.at);
  return passMilestones({ ...message, service, delivery_status: status, failure_code: null }, step.at);
}

function failMessage(message: MessageSnapshot, step: Extract<Step, { trigger: "failed" }>): Advance {
  const { at } = step;
  const { code, message: sentence } = ERRORS[step.error];
  const failed = { code, reason: `${sentence}: ${step.reason}` };
  const failed_at = at.toISOString();
  return {
    message: { ...message, delivery_status: "failed", failure_code: code },
    failure: failed,
    events: [
      message.kind === "poll"
        ? eventOf(message, "poll.failed", { ...toPollFacts(message), ...pollFailure(failed), failed_at }, at)
        : eventOf(
            message,
            "message.failed",
            { ...toMessageFacts(message, at), failure: { ...failed, failed_at } },
            at,
          ),
    ],
  };
}

function pollFailure({ code, reason }: { code: number; reason: string }) {
  return { sender_handle: null, error: { code, message: reason } };
}

function holdMessage(message: MessageSnapshot, at: Date): Advance {
  return {
    message: { ...message, delivery_status: "queued" },
    failure: null,
    events: [{ ...eventOf(message, "message.queued", {}, at), internal: true }],
  };
}

// What lies between is told too: whoever waits for message.sent gets it, even when only a late receipt proves it.
function passMilestones(message: MessageSnapshot, at: Date): Advance {
  let reached = message;
  const events: NewEvent[] = [];
  for (const milestone of milestonesOf(message.delivery_status)) {
    if (reached[`${milestone}_at`] !== null) continue;
    reached = { ...reached, [`${milestone}_at`]: at };
    events.push(milestoneEvent(reached, milestone, at));
  }
  return { message: reached, failure: null, events };
}

function milestoneEvent(message: MessageSnapshot, milestone: Milestone, at: Date): NewEvent {
  const facts = toMessageFacts(message, at);
  if (message.kind !== "poll") return eventOf(message, `message.${milestone}`, facts, at);
  const data = {
    ...toPollFacts(message),
    sender_handle: facts.sender_handle,
    created_at: message.created_at.toISOString(),
    updated_at: at.toISOString(),
    [`${milestone}_at`]: at.toISOString(),
  };
  return eventOf(message, `poll.${milestone}`, data, at);
}

function eventOf(message: MessageSnapshot, type: string, data: unknown, at: Date): NewEvent {
  return {
    accountId: message.account_id,
    type,
    lineId: message.line_id,
    chatId: message.chat_id,
    messageId: message.id,
    traceId: message.trace_id,
    data,
    at,
  };
}
