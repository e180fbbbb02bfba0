import "server-only";
import type { AdapterErrorKind } from "@/lib/adapters/adapter-error";

interface Fault {
  /** The effect that a partner sees. */
  effect: string;
  /** Whether the simulated network accepts the message. */
  taken: boolean;
  /** The receipt that the network reports for a message, after the phone's delay. */
  reports: "delivered" | "failed";
  /** The error that the sender gets instead of an acceptance. null = none. */
  answer: AdapterErrorKind | null;
}

/**
 * The faults of direct messages to a simulated phone. A group message is simply not delivered to a phone whose fault
 * prevents delivery.
 */
export const FAULTS = {
  rejected: { effect: "message.failed 4007", taken: false, reports: "failed", answer: "rejected" },
  unsupported: { effect: "message.failed 4005", taken: false, reports: "failed", answer: "unsupported" },
  unreachable: { effect: "message.failed 4001", taken: false, reports: "failed", answer: "not_reachable" },
  not_eligible: { effect: "message.failed 4008", taken: false, reports: "failed", answer: "not_eligible" },
  line_down: {
    effect: "stays queued and is retried; message.failed 4002 after the last attempt",
    taken: false,
    reports: "failed",
    answer: "line_down",
  },
  rate_limited: {
    effect: "retried; message.failed 3007 after the last attempt",
    taken: false,
    reports: "failed",
    answer: "rate_limited",
  },
  undeliverable: {
    effect: "message.sent, then message.failed 4001 instead of a delivery receipt",
    taken: true,
    reports: "failed",
    answer: null,
  },
  lost_answer: {
    effect:
      "delivered without confirmation: message.failed 4006, then message.delivered if the phone sends a receipt",
    taken: true,
    reports: "delivered",
    answer: "unknown_outcome",
  },
  lost_send: {
    effect: "not delivered and the response is lost: retried, message.failed 3007 after the last attempt",
    taken: false,
    reports: "failed",
    answer: "unknown_outcome",
  },
  slow_answer: {
    effect:
      "delivered, but the response takes one minute: the status is queried and the message is sent once",
    taken: true,
    reports: "delivered",
    answer: null,
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as [FaultName, ...FaultName[]];

/** Returns the fault that a phone's row names, or null. */
export function faultOf(name: string | null): (Fault & { name: FaultName }) | null {
  const found = FAULT_NAMES.find((candidate) => candidate === name);
  return found === undefined ? null : { ...FAULTS[found], name: found };
}
