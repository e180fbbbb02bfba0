import "server-only";
import { failUnsent } from "@/lib/messaging/dispatch/fail-unsent";
import { eraseCopies } from "@/lib/messaging/expiry/content-copies";
import { type ExpiryRange, expireBatch } from "@/lib/messaging/expiry/expire-batch";
import { sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf, statement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { firstIdAt } from "@/lib/platform/ids";
import { ERASE_REST, runInBatches } from "@/lib/platform/tasks/run-in-batches";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import { clearOldBodies } from "@/lib/request-log/retention/clear-old-bodies";
import { redactAnswers } from "@/lib/webhooks/deliveries/redact-answers";
import { redactOldReplayPaths } from "@/lib/webhooks/replays/redact-replay-paths";

/** Longer than any request or delivery that can be in flight when its message expires. */
const OVERLAP_MS = 15 * 60_000;
/** Messages of one transaction that looks for late copies: few enough for short locks and short parameters. */
const LATE_MESSAGES = 1000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

type Expiry = RowOf<"find-accounts-with-retention">;

const FIND_ACCOUNTS_WITH_RETENTION = plannedStatement(
  "find-accounts-with-retention",
  "select id, retention_minutes, erased_to from accounts where retention_minutes is not null order by id",
);

/**
 * Erases the content of messages older than their account's retention, counted from created_at, everywhere in
 * Trunkline. Ids, times, numbers and delivery state remain (docs/contract.md, section 2.4). An account that fails does
 * not block the others. Returns the number of expired messages.
 */
export async function expireContent(stop: AbortSignal): Promise<number> {
  const accounts = await sql.run(FIND_ACCOUNTS_WITH_RETENTION);
  let expired = 0;
  for (const account of accounts) {
    if (stop.aborted) break;
    expired += await expireOf(account, stop).catch((error: unknown) => {
      log.error({ err: error, account: account.id }, "expired content was not erased and will be retried");
      return 0;
    });
  }
  return expired;
}

async function expireOf(account: Expiry, stop: AbortSignal): Promise<number> {
  const at = now();
  const before = new Date(at.getTime() - account.retention_minutes * 60_000);
  const due = { accountId: account.id, before, at, ...idsOf(account.erased_to, before) };

  await failUnsent(account.id, before, at);
  let expired = 0;
  let after = due.after;
  const expireNext = async () => {
    const ids = await expireBatch({ ...due, after });
    after = ids.at(-1) ?? after;
    expired += ids.length;
    return ids.length > 0;
  };
  await runInBatches(expireNext, { rest: ERASE_REST, stop });
  await clearOldBodies(due, stop);
  await eraseLateContent(due, stop);
  if (!stop.aborted) await recordErasure(account.id, before);
  return expired;
}

// Ids begin with their time, so the remaining messages are a range of the primary key. This does not hold where the
// platform clock can be moved.
function idsOf(erasedTo: Date | null, before: Date): Pick<ExpiryRange, "after" | "until"> {
  if (env().CLOCK_CONTROL) return { after: FIRST_ID, until: LAST_ID };
  return {
    after: erasedTo === null ? FIRST_ID : firstIdAt(erasedTo.getTime() - OVERLAP_MS),
    until: firstIdAt(before.getTime() + OVERLAP_MS),
  };
}

const FIND_RECENTLY_DELETED_MESSAGES = statement(
  "find-recently-deleted-messages",
  "select id from messages where account_id = :accountId and deleted_at > :deletedAt and created_at <= :before order by id",
);

// Data that was in flight when its message was erased may have been stored since: a response that echoes it, or an
// edit on a phone.
async function eraseLateContent({ accountId, before, at }: ExpiryRange, stop: AbortSignal): Promise<void> {
  const rows = await sql.run(FIND_RECENTLY_DELETED_MESSAGES, {
    accountId,
    deletedAt: new Date(at.getTime() - OVERLAP_MS),
    before,
  });
  let from = 0;
  const eraseNext = async () => {
    const messageIds = rows.slice(from, from + LATE_MESSAGES).map(({ id }) => id);
    if (messageIds.length === 0) return false;
    await transaction(async (tx) => {
      await redactAnswers(tx, accountId, messageIds);
      await eraseCopies(tx, { accountId, messageIds, before: null });
    });
    from += LATE_MESSAGES;
    return true;
  };
  await runInBatches(eraseNext, { rest: ERASE_REST, stop });
  await transaction(async (tx) => {
    await redactOldReplayPaths(tx, accountId, before);
    await eraseCopies(tx, { accountId, messageIds: [], before });
  });
}

const RECORD_CONTENT_ERASED_TO = plannedStatement(
  "record-content-erased-to",
  "update accounts set erased_to = greatest(erased_to, :before) where id = :accountId",
);

async function recordErasure(accountId: string, before: Date): Promise<void> {
  await sql.run(RECORD_CONTENT_ERASED_TO, { accountId, before });
}
