import { queryString } from "@/lib/client/query-string";
import type { TraceStep } from "@/lib/runtime/dashboard/get-trace";

export interface StepWords {
  title: string;
  detail: string | null;
  /** The page with the whole record. */
  href: string | null;
  isFailure: boolean;
}

const BAD_STATUS = 400;

const EVENT_TITLES: Readonly<Record<string, string>> = {
  "message.accepted": "Accepted",
  "message.sent": "Sent",
  "message.delivered": "Delivered",
  "message.read": "Read",
  "message.failed": "Failed",
  "message.received": "Received",
  "message.edited": "Edited",
  "message.unsent": "Unsent",
};

/** The words for a step of a trace. */
export function describeStep(step: TraceStep): StepWords {
  switch (step.type) {
    case "request":
      return {
        title: `${step.method} ${step.path}`,
        detail: `Responded ${step.status} in ${milliseconds(step.latency_ms)}`,
        href: `/requests/${step.request_id}`,
        isFailure: step.status >= BAD_STATUS,
      };
    case "event":
      return {
        title: EVENT_TITLES[step.event_type] ?? titleOf(step.event_type),
        detail: step.internal ? null : `Event ${step.event_type}`,
        href: step.internal ? null : `/events${queryString({ q: step.event_id })}`,
        isFailure: step.event_type.endsWith("failed"),
      };
    case "transport":
      return {
        title: step.failure === null ? "Passed to the transport" : "Refused by the transport",
        detail: [
          step.attempts === 1 ? "1 attempt" : `${step.attempts} attempts`,
          step.service,
          step.failure && `${step.failure.reason ?? "failed"} (${step.failure.code})`,
        ]
          .filter((word) => word !== null)
          .join(", "),
        href: null,
        isFailure: step.failure !== null,
      };
    case "webhook":
      return describeWebhook(step);
  }
}

/** An event type such as `poll.vote.added` as text: "Poll vote added". */
function titleOf(eventType: string): string {
  const words = eventType.replace(/[._]/g, " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

type Webhook = Extract<TraceStep, { type: "webhook" }>;

function describeWebhook(step: Webhook): StepWords {
  const href = `/webhooks/${step.subscription_id}/deliveries/${step.delivery_id}`;
  if (step.number === null) {
    const state = step.delivery_status === "waiting" ? "waits" : step.delivery_status;
    return {
      title: `Webhook ${step.event_type} ${state}`,
      detail: step.target_url,
      href,
      isFailure: state === "stopped",
    };
  }
  const isFailure = step.status_code === null || step.status_code >= BAD_STATUS;
  const answer = step.status_code === null ? (step.error ?? "no response") : String(step.status_code);
  return {
    title: `Webhook ${step.event_type}, attempt ${step.number}: ${answer}`,
    detail: `${step.target_url} in ${milliseconds(step.latency_ms ?? 0)}${step.stopped_chat ? ", stopped its chat" : ""}`,
    href,
    isFailure,
  };
}

function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US")} ms`;
}
