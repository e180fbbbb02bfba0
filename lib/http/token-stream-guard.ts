import "server-only";
import { accountExpired, authenticateToken } from "@/lib/http/authenticate";
import type { StreamGuard } from "@/lib/http/stream-guard";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors";
import { watchToken } from "@/lib/tokens/watch-token";

const COME_BACK_SECONDS = 10;

const shared = globalThis as typeof globalThis & { trunklineOpenStreams?: Map<string, number> };

/**
 * Streams of API tokens: at most STREAMS_PER_ACCOUNT at a time in this process, each until its token is revoked or its
 * account expires.
 */
export const tokenStreamGuard: StreamGuard = {
  authenticate: authenticateToken,
  admit(_, { account, actor }, end) {
    const leave = takePlace(account.id);
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

function takePlace(accountId: string): () => void {
  shared.trunklineOpenStreams ??= new Map();
  const open = shared.trunklineOpenStreams;
  const most = env().STREAMS_PER_ACCOUNT;
  const before = open.get(accountId) ?? 0;
  if (before >= most) {
    throw new ApiError("rate_limited", `the account has ${most} streams open already`, COME_BACK_SECONDS);
  }
  open.set(accountId, before + 1);
  return () => {
    const left = (open.get(accountId) ?? 1) - 1;
    if (left === 0) open.delete(accountId);
    else open.set(accountId, left);
  };
}
