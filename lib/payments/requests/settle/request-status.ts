import "server-only";
import type { PaymentRequestStatus } from "@/lib/platform/prisma/enums";

/** The triggers that end a request (docs/contract.md, section 13.3). */
export type Ending = "paid" | "canceled" | "expired";

const MOVES = {
  requested: { paid: "succeeded", canceled: "canceled", expired: "expired" },
  succeeded: {},
  canceled: {},
  expired: {},
} as const satisfies Record<PaymentRequestStatus, Partial<Record<Ending, PaymentRequestStatus>>>;

/** Returns the status that an ending leads to, or null when the request has already ended. */
export function endedStatus(
  from: PaymentRequestStatus,
  ending: Ending,
): Exclude<PaymentRequestStatus, "requested"> | null {
  const moves: Partial<Record<Ending, Exclude<PaymentRequestStatus, "requested">>> = MOVES[from];
  return moves[ending] ?? null;
}

/** The event for each ending. */
export const ENDED_EVENT = {
  succeeded: "payment.succeeded",
  canceled: "payment.canceled",
  expired: "payment.expired",
} as const satisfies Record<Exclude<PaymentRequestStatus, "requested">, string>;

const SOON_MS = 10_000;
const LATEST_MS = 60 * 60_000;

/**
 * Returns the time of the next check of an opened request, in case a webhook was lost. The interval grows with the time
 * since the request was opened. An open request is checked at its expiry at the latest.
 */
export function nextCheck(openedAt: Date, expiresAt: Date, at: Date): Date {
  const openMs = at.getTime() - openedAt.getTime();
  const waitMs = Math.min(Math.max(openMs / 2, SOON_MS), LATEST_MS);
  const next = at.getTime() + waitMs;
  return new Date(expiresAt.getTime() > at.getTime() ? Math.min(next, expiresAt.getTime()) : next);
}
