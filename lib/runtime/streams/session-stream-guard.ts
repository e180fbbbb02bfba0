import "server-only";
import { watchSession } from "@/lib/identity/sessions/watch-session";
import { ApiError } from "@/lib/platform/errors/errors";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { acquireStreamSlot } from "@/lib/runtime/streams/acquire-stream-slot";
import type { StreamGuard } from "@/lib/runtime/streams/stream-guard";

/**
 * Guards dashboard streams: at most STREAMS_PER_ACCOUNT concurrent streams per user and account in this process. A
 * stream ends when its session ends or its user is removed from the account.
 */
export const sessionStreamGuard: StreamGuard = {
  authenticate: authenticateSession,
  admit(_, { account, actor }, end) {
    if (actor.type !== "user" || actor.sessionId === undefined) throw new ApiError("unauthorized");
    const leave = acquireStreamSlot(`${account.id} ${actor.userId}`);
    const unwatch = watchSession({ sessionId: actor.sessionId, accountId: account.id }, () =>
      end(new ApiError("unauthorized", "the session has expired: sign in again")),
    );
    return () => {
      unwatch();
      leave();
    };
  },
};
