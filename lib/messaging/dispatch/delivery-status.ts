import "server-only";
import type { DeliveryStatus, ServiceType } from "@/lib/platform/prisma/enums";

/**
 * The triggers that change a message's status: `held` = its line is down; the others are a transport's responses and
 * receipts.
 */
export type Trigger = "held" | "sent" | "delivered" | "read" | "failed";

/** The properties of a message that determine the effect of a receipt. */
export interface DeliveryProgress {
  service: ServiceType | null;
  isGroup: boolean;
  /** The message failed with 4006: it is unknown whether it was sent. */
  outcomeUnknown: boolean;
  /** The receipt is about one of several units that the message was sent in. */
  isPart?: boolean;
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
 * Returns the delivery_status after a trigger (docs/contract.md, section 7.5). Defined for every input and idempotent.
 * The status never moves back, except that a failed message can still turn out to have been sent. In groups and over
 * SMS, a receipt proves only that the message was sent, so there a definite failure is final.
 */
export function nextStatus(
  current: DeliveryStatus,
  trigger: Trigger,
  details: DeliveryProgress,
): DeliveryStatus {
  const proven = hasReceipts(details) ? trigger : WITHOUT_RECEIPTS[trigger];
  // After a definite failure, a "sent" or another part's receipt proves nothing, but the recipient's receipt does.
  const isDefinite = current === "failed" && !details.outcomeUnknown;
  if (isDefinite && (proven === "sent" || details.isPart === true)) return "failed";
  return NEXT[current][proven];
}

const WITHOUT_RECEIPTS = {
  held: "held",
  sent: "sent",
  delivered: "sent",
  read: "sent",
  failed: "failed",
} as const satisfies Record<Trigger, Trigger>;

/** Whether the status of a message shows that it was delivered and read. */
export function hasReceipts({ service, isGroup }: Pick<DeliveryProgress, "service" | "isGroup">): boolean {
  return !isGroup && (service === "iMessage" || service === "RCS");
}

/** The milestones of a message, in order. Each is reached once and has its own event. */
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

/** All milestones that a status implies: "read" without "delivered" sets both times (docs/contract.md, section 7.5). */
export function milestonesOf(status: DeliveryStatus): readonly Milestone[] {
  return IMPLIED[status];
}
