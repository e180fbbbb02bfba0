import "server-only";

/** Who does something, for audit and events. */
export type Actor = { type: "api"; tokenId: string } | UserActor | { type: "system" };

export interface UserActor {
  type: "user";
  userId: string;
  name: string;
  email: string;
  role: Role;
  /** Operates the instance besides; false when absent. */
  isOperator?: boolean;
  /** The session the request came with; absent where a user acts without one. */
  sessionId?: string;
  /** Whether the user proved who they are within the last PROOF_MINUTES. */
  hasFreshProof?: boolean;
}

export type Role = "admin" | "developer" | "support" | "viewer";

export interface AccountRef {
  id: string;
  partnerId: string;
  type: "sandbox" | "production";
}

/** The context of an operation: its account, its actor, its time, and the trace it belongs to. */
export interface Context {
  account: AccountRef;
  actor: Actor;
  /** 32 hex digits; on the wire X-Trace-ID and `trace_id`. */
  traceId: string;
  /** The platform clock at the start of the operation. */
  now: Date;
}
