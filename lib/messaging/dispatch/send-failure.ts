import "server-only";
import type { AdapterErrorKind } from "@/lib/adapters/adapter-error";
import type { ErrorName } from "@/lib/platform/errors/errors";

interface Consequence {
  /** The code of message.failed, immediately or after the last attempt (docs/contract.md, section 12.5). */
  error: ErrorName;
  /** `fail` immediately, `hold` as queued and retry, retry `again`, or `ask` whether the message was sent. */
  next: "fail" | "hold" | "again" | "ask";
}

/** The consequence of a message that a transport did not accept. */
export const CONSEQUENCES = {
  rejected: { error: "send_failed", next: "fail" },
  unsupported: { error: "type_not_supported", next: "fail" },
  not_reachable: { error: "delivery_failed", next: "fail" },
  not_eligible: { error: "sender_not_eligible", next: "fail" },
  undeliverable: { error: "delivery_failed", next: "fail" },
  line_down: { error: "line_down", next: "hold" },
  no_account: { error: "rcs_account_missing", next: "fail" },
  rate_limited: { error: "attempts_exhausted", next: "again" },
  unknown_outcome: { error: "send_timed_out", next: "ask" },
} as const satisfies Record<AdapterErrorKind, Consequence>;

const RETRY_SECONDS = [1, 2, 5, 10];

/** The delay after the given attempt; null after the last. */
export function sendRetryDelayMs(attempt: number): number | null {
  const seconds = RETRY_SECONDS[attempt - 1];
  return seconds === undefined ? null : seconds * 1000;
}
