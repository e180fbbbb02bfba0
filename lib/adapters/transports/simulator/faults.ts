import "server-only";
import type { AdapterErrorKind } from "@/lib/adapters/adapter-error";

interface Fault {
  /** What a partner sees of it. */
  effect: string;
  /** Whether the simulated network has the message. */
  taken: boolean;
  /** What the network reports of a message it has, after the phone's delay. */
  reports: "delivered" | "failed";
  /** What the sender is told instead of an acceptance. */
  answer: AdapterErrorKind | null;
}

/** What a direct message to a simulated phone can meet. A group message just does not get to a phone whose fault stops it. */
export const FAULTS = {
  rejected: { effect: "message.failed 4007", taken: false, reports: "failed", answer: "rejected" },
  unsupported: { effect: "message.failed 4005", taken: false, reports: "failed", answer: "unsupported" },
  unreachable: { effect: "message.failed 4001", taken: false, reports: "failed", answer: "not_reachable" },
  not_eligible: { effect: "message.failed 4008", taken: false, reports: "failed", answer: "not_eligible" },
  line_down: {
    effect: "held as queued and tried again; message.failed 4002 when the tries are used up",
    taken: false,
    reports: "failed",
    answer: "line_down",
  },
  rate_limited: {
    effect: "tried again; message.failed 3007 when the tries are used up",
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
    effect: "it arrives but nobody can say so: message.failed 4006, until the phone's receipt proves it",
    taken: true,
    reports: "delivered",
    answer: "unknown_outcome",
  },
  lost_send: {
    effect:
      "nothing arrives and the answer is lost: sent again, message.failed 3007 when the tries are used up",
    taken: false,
    reports: "failed",
    answer: "unknown_outcome",
  },
  slow_answer: {
    effect: "it arrives, the answer takes a minute: found out by asking, sent once",
    taken: true,
    reports: "delivered",
    answer: null,
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as [FaultName, ...FaultName[]];

/** The fault a phone's row names, or null. */
export function faultOf(name: string | null): (Fault & { name: FaultName }) | null {
  const found = FAULT_NAMES.find((candidate) => candidate === name);
  return found === undefined ? null : { ...FAULTS[found], name: found };
}
