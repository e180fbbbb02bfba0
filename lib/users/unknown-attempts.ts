import "server-only";
import { lockSeconds } from "@/lib/users/lock-seconds";

const REMEMBERED_MOST = 10_000;

interface Attempts {
  failures: number;
  lockedUntilMs: number;
}

const shared = globalThis as typeof globalThis & { trunklineUnknownAttempts?: Map<string, Attempts> };

/**
 * Locks an e-mail nobody has just as a real one, so that the lock does not tell which exist. Kept in this process only:
 * there is nothing to protect, only nothing to learn. Returns the seconds it is locked, 0 when the attempt may go on.
 */
export function claimUnknownAttempt(email: string, at: Date): number {
  shared.trunklineUnknownAttempts ??= new Map();
  const known = shared.trunklineUnknownAttempts;
  const before = known.get(email) ?? { failures: 0, lockedUntilMs: 0 };
  const lockedMs = before.lockedUntilMs - at.getTime();
  if (lockedMs > 0) return Math.ceil(lockedMs / 1000);

  const failures = before.failures + 1;
  known.delete(email);
  known.set(email, { failures, lockedUntilMs: at.getTime() + lockSeconds(failures) * 1000 });
  forgetOldest(known);
  return 0;
}

function forgetOldest(known: Map<string, Attempts>): void {
  const [oldest] = known.keys();
  if (known.size > REMEMBERED_MOST && oldest !== undefined) known.delete(oldest);
}
