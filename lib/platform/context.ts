import "server-only";
import type { RowOf } from "@/lib/platform/database/statement";
import type { TokenScope } from "@/lib/platform/rights/token-scope";

/** The actor of an operation, for the audit log and events. */
export type Actor = ProgramActor | UserActor | { type: "system" };

/** A program with an API token. */
interface ProgramActor {
  type: "api";
  tokenId: string;
  /** Set for a token with restricted scopes. */
  scopes?: readonly TokenScope[];
  /** Whether the account has quiet hours, as read with the token of a request. Absent without a request. */
  keepsQuietHours?: boolean;
}

export interface UserActor {
  type: "user";
  userId: string;
  name: string;
  email: string;
  role: Role;
  /** Whether the user also operates the instance. false when absent. */
  isOperator?: boolean;
  /** The session of the request. Absent when a user acts without one. */
  sessionId?: string;
  /** Whether the user confirmed their identity within the last PROOF_MINUTES. */
  hasFreshProof?: boolean;
  /** Whether the session was opened with a password and no passkey. */
  hasPasswordOnly?: boolean;
  /** The token of the API explorer that the user's session created, in requests with one. */
  tokenId?: string;
}

/** The API token of a request; null for a session and for the system. */
export function tokenIdOf(actor: Actor): string | null {
  return actor.type === "system" ? null : (actor.tokenId ?? null);
}

export type Role = "admin" | "developer" | "support" | "viewer";

export type AccountRef = RowOf<"find-account-of-flagged-line">;

/** The context of an operation: its account, its actor, its time, and the trace it belongs to. */
export interface Context {
  account: AccountRef;
  actor: Actor;
  /** 32 hex digits; on the wire X-Trace-ID and `trace_id`. */
  traceId: string;
  /** The platform clock at the start of the operation. */
  now: Date;
}
