import "server-only";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors/errors";

const COME_BACK_SECONDS = 10;

const shared = globalThis as typeof globalThis & { trunklineOpenStreams?: Map<string, number> };

/**
 * Counts an open event stream of `owner` (an account, or a user in an account) in this process, at most
 * STREAMS_PER_ACCOUNT at a time. Returns a function that releases it. Errors: rate_limited.
 */
export function acquireStreamSlot(owner: string): () => void {
  shared.trunklineOpenStreams ??= new Map();
  const open = shared.trunklineOpenStreams;
  const most = env().STREAMS_PER_ACCOUNT;
  const before = open.get(owner) ?? 0;
  if (before >= most) {
    throw new ApiError(
      "rate_limited",
      `the maximum of ${most} open streams is reached: close a stream first`,
      COME_BACK_SECONDS,
    );
  }
  open.set(owner, before + 1);
  return () => {
    const left = (open.get(owner) ?? 1) - 1;
    if (left === 0) open.delete(owner);
    else open.set(owner, left);
  };
}
