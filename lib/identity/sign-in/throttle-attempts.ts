import "server-only";
import { lockSeconds } from "@/lib/identity/sign-in/lock-seconds";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { clientNetwork } from "@/lib/platform/http/client-address";
import { requestClient } from "@/lib/platform/http/request-client";

/** A key whose failed attempts are counted together. */
export interface Throttle {
  of: "address" | "account";
  key: Buffer;
  /** Number of consecutive failures without a delay. */
  freeFailures: number;
  /** Milliseconds without an attempt after which failures are forgotten. */
  forgetMs: number;
  /** Milliseconds after which one failure is forgotten, whatever is attempted meanwhile; absent = never. */
  fallMs?: number;
}

const HOUR_MS = 60 * 60 * 1000;

/** Throttles one account on one device: failures elsewhere do not count against the user's own devices. */
export function accountThrottle(account: string, device: string): Throttle {
  return {
    of: "account",
    key: sha256(`account ${account} ${device}`),
    freeFailures: 5,
    forgetMs: 24 * HOUR_MS,
  };
}

/**
 * Throttles one IP address across all accounts. The limit allows for an office behind one address, but not for password
 * spraying.
 */
function addressThrottle(address: string | null): Throttle {
  const network = address === null ? "unknown" : clientNetwork(address);
  return { of: "address", key: sha256(`address ${network}`), freeFailures: 50, forgetMs: HOUR_MS };
}

/**
 * The throttles of a sign-in. A known device is not throttled by its address, because all clients behind an untrusted
 * proxy share one.
 */
export function signInThrottles(email: string, device: string | null): Throttle[] {
  if (device !== null) return [accountThrottle(email, `device ${device}`)];
  const { address } = requestClient();
  return [addressThrottle(address), accountThrottle(email, `address ${address ?? "unknown"}`)];
}

/**
 * Throttles requests of password resets: of one IP address, and for one email address. They are counted apart from
 * sign-ins, so that neither delays the other.
 */
export function resetThrottles(
  address: string | null,
  email: string,
): { ofClient: Throttle; ofRecipient: Throttle } {
  const network = address === null ? "unknown" : clientNetwork(address);
  return {
    ofClient: { of: "address", key: sha256(`reset from ${network}`), freeFailures: 50, forgetMs: HOUR_MS },
    ofRecipient: { of: "account", key: sha256(`reset of ${email}`), freeFailures: 3, forgetMs: HOUR_MS },
  };
}

/** Throttles links that no one was sent, of one IP address. Links that work are not counted. */
export function linkThrottle(address: string | null): Throttle {
  const network = address === null ? "unknown" : clientNetwork(address);
  return { of: "address", key: sha256(`links from ${network}`), freeFailures: 50, forgetMs: HOUR_MS };
}

/**
 * Throttles invitations: of one partner, and of one person by the partner, so that neither many mailboxes nor one can be
 * filled. They are counted per partner, so that no partner delays another's. None of them fails, so the counts fall with
 * time: a partner that invites steadily never waits.
 */
export function invitationThrottles(partnerId: string, email: string): Throttle[] {
  return [
    { of: "address", key: sha256(`invitations of ${partnerId}`), ...perHour(100) },
    { of: "account", key: sha256(`invitation of ${email} to ${partnerId}`), ...perHour(5) },
  ];
}

function perHour(count: number): Omit<Throttle, "of" | "key"> {
  return { freeFailures: count, forgetMs: HOUR_MS, fallMs: HOUR_MS / count };
}

type ThrottleRow = RowOf<"lock-throttle">;

/**
 * Like `claimAttempt`, in a transaction of its own. It may wait for the row of a throttle, so it takes no connection of the
 * hot pool.
 */
export function claimAttemptNow(throttles: readonly Throttle[], at: Date): Promise<number> {
  return transaction((tx) => claimAttempt(tx, throttles, at), { isCool: true });
}

/**
 * Counts an attempt as failed under every throttle before it is made, so that concurrent attempts cannot bypass the
 * limit. Returns the seconds to wait when a throttle is locked, and then counts nothing; 0 = proceed. Callers pass
 * throttles in the order address, account, so that transactions cannot deadlock.
 */
export async function claimAttempt(tx: Sql, throttles: readonly Throttle[], at: Date): Promise<number> {
  const rows = [];
  for (const throttle of throttles) rows.push({ throttle, row: await lockThrottle(tx, throttle, at) });

  const lockedMs = Math.max(0, ...rows.map(({ row }) => (row.locked_until?.getTime() ?? 0) - at.getTime()));
  if (lockedMs > 0) return Math.ceil(lockedMs / 1000);

  for (const { throttle, row } of rows) await countFailure(tx, throttle, row, at);
  return 0;
}

const FORGIVE_ATTEMPT = statement(
  "forgive-attempt",
  `update sign_in_throttles set locked_until = null,
    failures = case when :isOfAccount then 0 else failures - 1 end
  where key = :key and (:isOfAccount or failures between 1 and :freeFailures)`,
);

/**
 * Reverts `claimAttempt` after a successful attempt: the account's failures are cleared, the address's are reduced by
 * one. An address without free failures stays locked, because otherwise one valid account would unlock it.
 */
export async function revertAttempt(tx: Sql, throttles: readonly Throttle[]): Promise<void> {
  for (const { key, of, freeFailures } of throttles) {
    await tx.run(FORGIVE_ATTEMPT, { key, isOfAccount: of === "account", freeFailures });
  }
}

const LOCK_THROTTLE = statement(
  "lock-throttle",
  `insert into sign_in_throttles (key, last_attempt_at) values (:key, :lastAttemptAt)
  on conflict (key) do update set key = excluded.key
  returning failures, locked_until, last_attempt_at`,
);

async function lockThrottle(tx: Sql, { key }: Throttle, at: Date): Promise<ThrottleRow> {
  const [row] = await tx.run(LOCK_THROTTLE, { key, lastAttemptAt: at });
  if (row === undefined) throw new Error("the throttle was not stored");
  return row;
}

const COUNT_FAILED_ATTEMPT = statement(
  "count-failed-attempt",
  "update sign_in_throttles set failures = :failures, locked_until = :lockedUntil, last_attempt_at = :since where key = :throttleKey",
);

async function countFailure(tx: Sql, throttle: Throttle, row: ThrottleRow, at: Date): Promise<void> {
  const { before, since } = fallen(throttle, row, at);
  const failures = before + 1;
  const lockMs = lockSeconds(failures, throttle.freeFailures) * 1000;
  await tx.run(COUNT_FAILED_ATTEMPT, {
    throttleKey: throttle.key,
    failures,
    lockedUntil: lockMs === 0 ? null : new Date(at.getTime() + lockMs),
    since,
  });
}

/** The failures that still count, and the time from which the next one is forgotten. */
function fallen({ forgetMs, fallMs }: Throttle, row: ThrottleRow, at: Date): { before: number; since: Date } {
  const quietMs = at.getTime() - row.last_attempt_at.getTime();
  if (quietMs > forgetMs) return { before: 0, since: at };
  if (fallMs === undefined) return { before: row.failures, since: at };
  const count = Math.max(0, Math.floor(quietMs / fallMs));
  if (count >= row.failures) return { before: 0, since: at };
  return { before: row.failures - count, since: new Date(row.last_attempt_at.getTime() + count * fallMs) };
}
