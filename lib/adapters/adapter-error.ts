import "server-only";

/** Why a vendor did not do what it was asked; what follows from each is the caller's table (send-failure.ts). */
export type AdapterErrorKind =
  | "rejected"
  | "unsupported"
  | "not_reachable"
  | "not_eligible"
  | "undeliverable"
  | "line_down"
  /** The line has no account with the service; of a card processor, there is none that lets us in. */
  | "no_account"
  | "rate_limited"
  /** It may or may not have been done: never repeated without asking. */
  | "unknown_outcome";

/** The only failure an adapter throws on purpose. Anything else thrown counts as `unknown_outcome`. */
export class AdapterError extends Error {
  constructor(
    readonly kind: AdapterErrorKind,
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}
