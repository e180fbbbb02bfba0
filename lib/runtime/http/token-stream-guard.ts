import "server-only";
import { watchToken } from "@/lib/identity/tokens/watch-token";
import { ApiError } from "@/lib/platform/errors";
import { accountExpired, authenticateToken } from "@/lib/runtime/http/authenticate";
import type { StreamGuard } from "@/lib/runtime/http/stream-guard";
import { takeStreamPlace } from "@/lib/runtime/http/take-stream-place";

/**
 * Streams of API tokens: at most STREAMS_PER_ACCOUNT at a time in this process, each until its token is revoked or its
 * account expires.
 */
export const tokenStreamGuard: StreamGuard = {
  authenticate: authenticateToken,
  admit(_, { account, actor }, end) {
    const leave = takeStreamPlace(account.id);
    if (actor.type !== "api") return leave;
    const unwatch = watchToken({ accountId: account.id, tokenId: actor.tokenId }, (expiredAt) =>
      end(
        expiredAt === null
          ? new ApiError("unauthorized", "the token was revoked or has expired")
          : accountExpired(expiredAt),
      ),
    );
    return () => {
      unwatch();
      leave();
    };
  },
};
