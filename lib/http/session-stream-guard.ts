import "server-only";
import { authenticateSession } from "@/lib/http/authenticate-session";
import type { StreamGuard } from "@/lib/http/stream-guard";
import { ApiError } from "@/lib/platform/errors";
import { watchSession } from "@/lib/users/watch-session";

/** Streams of the dashboard: each until its session has ended or its user has left the account. */
export const sessionStreamGuard: StreamGuard = {
  authenticate: authenticateSession,
  admit(_, { account, actor }, end) {
    if (actor.type !== "user" || actor.sessionId === undefined) throw new ApiError("unauthorized");
    return watchSession({ sessionId: actor.sessionId, accountId: account.id }, () =>
      end(new ApiError("unauthorized", "the session has ended")),
    );
  },
};
