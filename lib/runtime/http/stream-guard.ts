import "server-only";
import type { Caller, Recognised } from "@/lib/runtime/http/authenticate";

/** Authorizes a stream, and ends it when the authorization ends. */
export interface StreamGuard {
  /** The caller. Errors: unauthorized, access_denied. */
  authenticate(request: Request, recognised: Recognised): Promise<Caller>;
  /** Lets the stream begin, and calls `end` with why once it may not go on. Returns how to stop. Errors: rate_limited. */
  admit(request: Request, caller: Caller, end: (why: Error) => void): () => void;
}
