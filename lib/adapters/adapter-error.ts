import "server-only";
import { storableError } from "@/lib/platform/text/storable-text";

/** Why a vendor did not perform an operation. The caller decides what follows from each kind (send-failure.ts). */
export type AdapterErrorKind =
  | "rejected"
  | "unsupported"
  | "not_reachable"
  | "not_eligible"
  | "undeliverable"
  | "line_down"
  /** The line has no account with the service, or a card processor has no account that Trunkline can access. */
  | "no_account"
  | "rate_limited"
  /** The operation may have been performed. Never repeat it without checking. */
  | "unknown_outcome";

/** The only kind of error that an adapter throws deliberately. Any other thrown error counts as `unknown_outcome`. */
export class AdapterError extends Error {
  constructor(
    readonly kind: AdapterErrorKind,
    message: string,
    readonly retryAfterMs?: number,
  ) {
    // Vendors write into it, and it is stored.
    super(storableError(message));
  }
}

/**
 * The vendor has a part of the message and certainly not the rest, which only the same session can send. Until then the
 * message can't be sent over another connection.
 */
export class PartlySent extends AdapterError {}
