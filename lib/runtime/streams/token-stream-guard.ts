import "server-only";
import { type AccountEnd, watchToken } from "@/lib/identity/tokens/watch-token";
import { tokenIdOf } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors/errors";
import {
  accountArchived,
  accountExpired,
  authenticateToken,
  type Caller,
} from "@/lib/runtime/http/authenticate";
import { acquireStreamSlot } from "@/lib/runtime/streams/acquire-stream-slot";
import type { StreamGuard } from "@/lib/runtime/streams/stream-guard";

/** Guards streams of API tokens with `admitToken`. */
export const tokenStreamGuard: StreamGuard = {
  authenticate: authenticateToken,
  admit: (_, caller, end) => admitToken(caller, end),
};

/**
 * Admits a long-lived connection, at most STREAMS_PER_ACCOUNT at a time in this process. When the token is revoked or
 * expires, or the account is archived or expires, calls `end` with the reason. Returns a function that releases the connection.
 * Errors: rate_limited.
 */
export function admitToken({ account, actor }: Caller, end: (why: Error) => void): () => void {
  const leave = acquireStreamSlot(account.id);
  const tokenId = tokenIdOf(actor);
  if (tokenId === null) return leave;
  const unwatch = watchToken({ accountId: account.id, tokenId }, (why) => end(reasonOf(why)));
  return () => {
    unwatch();
    leave();
  };
}

function reasonOf({ archivedAt, expiredAt }: AccountEnd): ApiError {
  if (archivedAt !== null) return accountArchived(archivedAt);
  if (expiredAt !== null) return accountExpired(expiredAt);
  return new ApiError("unauthorized", "the token was revoked or has expired");
}
