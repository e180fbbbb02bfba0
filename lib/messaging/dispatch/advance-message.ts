import "server-only";
import { type EventOrigin, type NewEvent, newEvent } from "@/lib/events/store/emit-event";
import {
  type Milestone,
  milestonesOf,
  nextStatus,
  type Trigger,
} from "@/lib/messaging/dispatch/delivery-status";
import { MESSAGE_EVENTS, MESSAGE_QUEUED } from "@/lib/messaging/messages/message-events";
import {
  type MessageSnapshot,
  sentMessageEventData,
  toPollEventData,
} from "@/lib/messaging/messages/message-snapshot";
import { POLL_EVENTS } from "@/lib/messaging/polls/poll-events";
import { ERRORS, type ErrorName } from "@/lib/platform/errors/errors";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/**
 * A change of a sent message. `service` = the service that carried the message, if the change reports one. `isPart` = the
 * change is about one of several units that the message was sent in.
 */
export type Step = { at: Date; service?: ServiceType; isPart?: boolean } & (
  | { type: Exclude<Trigger, "failed"> }
  | { type: "failed"; error: ErrorName; reason: string }
);

/** The message after a step, and the events that report the step. */
export interface Advance {
  message: MessageSnapshot;
  failure: { code: number; reason: string } | null;
  events: NewEvent[];
}

/**
 * Applies the delivery state machine to one message. Returns null when the step changes nothing. Each milestone has one
 * event.
 */
export function advanceMessage(message: MessageSnapshot, step: Step): Advance | null {
  const service = step.service ?? message.service;
  const status = nextStatus(message.delivery_status, step.type, {
    service,
    isGroup: message.is_group,
    outcomeUnknown: message.failure_code === ERRORS.send_timed_out.code,
    isPart: step.isPart === true,
  });
  if (status === message.delivery_status) return correctService(message, step);

  if (step.type === "failed") return failMessage({ ...message, service }, step);
  if (status === "queued") return holdMessage(message, step.at);
  return advanceMilestones({ ...message, service, delivery_status: status, failure_code: null }, step.at);
}

// A vendor that chooses the service reports its choice after it accepted the message.
function correctService(message: MessageSnapshot, { type, service }: Step): Advance | null {
  const isCorrection = type === "sent" && message.delivery_status === "sent";
  if (!isCorrection || service === undefined || service === message.service) return null;
  return { message: { ...message, service }, failure: null, events: [] };
}

function failMessage(message: MessageSnapshot, step: Extract<Step, { type: "failed" }>): Advance {
  const { at } = step;
  const { code, message: sentence } = ERRORS[step.error];
  const failed = { code, reason: `${sentence}: ${step.reason}` };
  const failed_at = at.toISOString();
  return {
    message: { ...message, delivery_status: "failed", failure_code: code },
    failure: failed,
    events: [failedEvent(message, { ...failed, failed_at }, at)],
  };
}

function failedEvent(
  message: MessageSnapshot,
  failure: { code: number; reason: string; failed_at: string },
  at: Date,
): NewEvent {
  const about = originOf(message, at);
  if (message.kind !== "poll") {
    const data = { ...sentMessageEventData(message, at), failure };
    return newEvent(MESSAGE_EVENTS["message.failed"], about, data);
  }
  const { code, reason, failed_at } = failure;
  const error = { code, message: reason };
  const data = { ...toPollEventData(message), sender_handle: null, error, failed_at };
  return newEvent(POLL_EVENTS["poll.failed"], about, data);
}

function holdMessage(message: MessageSnapshot, at: Date): Advance {
  return {
    message: { ...message, delivery_status: "queued" },
    failure: null,
    events: [newEvent(MESSAGE_QUEUED, originOf(message, at), {})],
  };
}

// Skipped milestones are reported too: message.sent is emitted even when only a late receipt proves it.
function advanceMilestones(message: MessageSnapshot, at: Date): Advance {
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
  const about = originOf(message, at);
  const data = sentMessageEventData(message, at);
  if (message.kind !== "poll") return newEvent(MESSAGE_EVENTS[`message.${milestone}`], about, data);
  const poll = {
    ...toPollEventData(message),
    sender_handle: data.sender_handle,
    created_at: message.created_at.toISOString(),
    updated_at: at.toISOString(),
  };
  const time = at.toISOString();
  switch (milestone) {
    case "sent":
      return newEvent(POLL_EVENTS["poll.sent"], about, { ...poll, sent_at: time });
    case "delivered":
      return newEvent(POLL_EVENTS["poll.delivered"], about, { ...poll, delivered_at: time });
    case "read":
      return newEvent(POLL_EVENTS["poll.read"], about, { ...poll, read_at: time });
  }
}

function originOf(message: MessageSnapshot, at: Date): EventOrigin {
  return {
    accountId: message.account_id,
    lineId: message.line_id,
    chatId: message.chat_id,
    messageId: message.id,
    traceId: message.trace_id,
    at,
  };
}
