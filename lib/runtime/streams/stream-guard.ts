import "server-only";
import type { Caller, OnCallerKnown } from "@/lib/runtime/http/authenticate";

/** Authorizes a stream, and ends it when the authorization ends. */
export interface StreamGuard {
  /** Returns the caller. Errors: unauthorized, access_denied. */
  authenticate(request: Request, recognised: OnCallerKnown): Promise<Caller>;
  /**
   * Admits the stream and calls `end` with the reason when the authorization ends. Returns a function that releases the
   * stream. Errors: rate_limited.
   */
  admit(request: Request, caller: Caller, end: (why: Error) => void): () => void;
}
