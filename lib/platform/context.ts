import "server-only";

/** Who does something, for audit and events. */
export type Actor =
  | { type: "api"; tokenId: string }
  | { type: "user"; userId: string; name: string; email: string; role: Role }
  | { type: "system" };

export type Role = "admin" | "developer" | "support" | "viewer";

export interface AccountRef {
  id: string;
  partnerId: string;
  type: "sandbox" | "production";
}

/** What every operation is told: on whose behalf, by whom, when, and the trace it belongs to. */
export interface Context {
  account: AccountRef;
  actor: Actor;
  /** 32 hex digits; on the wire X-Trace-ID and `trace_id`. */
  traceId: string;
  /** The platform clock at the start of the operation. */
  now: Date;
}
