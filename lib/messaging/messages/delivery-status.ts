import "server-only";
import type { DeliveryStatus, ServiceType } from "@/lib/platform/prisma/enums";

/**
 * The events that change a message's status: `held` = its line is down; the others are a transport's answers and
 * receipts.
 */
export type Trigger = "held" | "sent" | "delivered" | "read" | "failed";

/** The properties of a message that determine the effect of a receipt. */
export interface DeliveryProgress {
  service: ServiceType | null;
  isGroup: boolean;
  /** The message failed because it is unknown whether it was sent (4006). */
  outcomeUnknown: boolean;
}

// Carriers report out of order: a late "sent" must not undo "delivered", a late "delivered" must not undo "read".
const NEXT = {
  pending: { held: "queued", sent: "sent", delivered: "delivered", read: "read", failed: "failed" },
  queued: { held: "queued", sent: "sent", delivered: "delivered", read: "read", failed: "failed" },
  sent: { held: "sent", sent: "sent", delivered: "delivered", read: "read", failed: "failed" },
  delivered: {
    held: "delivered",
    sent: "delivered",
    delivered: "delivered",
    read: "read",
    failed: "delivered",
  },
  read: { held: "read", sent: "read", delivered: "read", read: "read", failed: "read" },
  failed: { held: "failed", sent: "sent", delivered: "delivered", read: "read", failed: "failed" },
  received: {
    held: "received",
    sent: "received",
    delivered: "received",
    read: "received",
    failed: "received",
  },
} as const satisfies Record<DeliveryStatus, Record<Trigger, DeliveryStatus>>;

/**
 * The delivery_status after a trigger (partner-api.md, States; contract.md 0). Total and idempotent; it never goes back,
 * except that a failed message may still prove to have been sent. In groups and over SMS a receipt proves no more than
 * that the message was sent.
 */
export function nextStatus(
  current: DeliveryStatus,
  trigger: Trigger,
  details: DeliveryProgress,
): DeliveryStatus {
  // After a definite refusal a stray "sent" proves nothing; a receipt from the recipient's side does.
  if (current === "failed" && trigger === "sent" && !details.outcomeUnknown) return "failed";
  return NEXT[current][hasReceipts(details) ? trigger : WITHOUT_RECEIPTS[trigger]];
}

const WITHOUT_RECEIPTS = {
  held: "held",
  sent: "sent",
  delivered: "sent",
  read: "sent",
  failed: "failed",
} as const satisfies Record<Trigger, Trigger>;

function hasReceipts({ service, isGroup }: DeliveryProgress): boolean {
  return !isGroup && (service === "iMessage" || service === "RCS");
}

/** The times a message reaches once each, in this order; each has its event. */
export type Milestone = "sent" | "delivered" | "read";

const IMPLIED = {
  pending: [],
  queued: [],
  failed: [],
  received: [],
  sent: ["sent"],
  delivered: ["sent", "delivered"],
  read: ["sent", "delivered", "read"],
} as const satisfies Record<DeliveryStatus, readonly Milestone[]>;

/** Every milestone that lies behind a status: "read" without "delivered" sets both times (contract.md 0). */
export function milestonesOf(status: DeliveryStatus): readonly Milestone[] {
  return IMPLIED[status];
}
