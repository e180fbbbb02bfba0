import "server-only";
import type { ApiError } from "@/lib/platform/errors/errors";
import { newTraceId } from "@/lib/platform/ids";
import { toResponse } from "@/lib/runtime/http/answer";
import { authenticateToken, type Caller } from "@/lib/runtime/http/authenticate";
import { errorAnswer } from "@/lib/runtime/http/error-response";
import { observe } from "@/lib/runtime/http/observe";

/**
 * Responds to a request that matches no endpoint. Its token is looked up after the response, for observers only: users
 * search the request log for mistyped paths most often.
 */
export function rejectRequest(request: Request, error: ApiError): Response {
  const startedAt = performance.now();
  const traceId = newTraceId();
  const answer = errorAnswer(error, traceId);
  const tookMs = performance.now() - startedAt;

  let caller: Caller | undefined;
  function tell(): void {
    observe({ request, traceId, startedAt: performance.now() - tookMs, caller, params: null }, answer);
  }
  authenticateToken(request, (known) => {
    caller = known;
  }).then(tell, tell);
  return toResponse(answer);
}
