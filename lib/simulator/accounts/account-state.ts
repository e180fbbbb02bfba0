import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "@/lib/platform/database/db";
import { DEADLOCK, hasSqlState } from "@/lib/platform/database/has-sql-state";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { now } from "@/lib/platform/time/clock";
import { LINE_STATE, STATE_TABLES } from "@/lib/simulator/accounts/account-tables";
import { isWorkRunning } from "@/lib/simulator/clock/due-work";
import { takeStateTurns } from "@/lib/simulator/take-turns";

const WAIT_MS = 10_000;
const LOOK_MS = 20;

/** The rows of an account's queues that a worker could claim. */
const QUEUED = [
  ["messages", "dispatch_at is not null"],
  ["chat_actions", "true"],
  ["chat_turns", "true"],
  ["simulator_messages", "due_at is not null"],
  ["simulator_delayed_messages", "true"],
  ["webhook_deliveries", "run_at is not null"],
  ["webhook_replays", "run_at is not null"],
  ["experience_cards", "due_at is not null"],
] as const;

class WorkIsRunning extends Error {}

/**
 * Runs `change` in a transaction in which no worker can run due work of the account: waits until running work ends, and
 * locks the rest. Changes of the same account run one after the other. Errors: state_conflict when work still runs after
 * 10 seconds.
 */
export async function changeStoppedAccount<Result>(
  accountId: string,
  change: (tx: Sql) => Promise<Result>,
): Promise<Result> {
  for (const end = performance.now() + WAIT_MS; ; await sleep(LOOK_MS)) {
    try {
      return await takeStateTurns(accountId, async (tx) => {
        await stopWork(tx, accountId);
        return change(tx);
      });
    } catch (error) {
      if (!(error instanceof WorkIsRunning) && !hasSqlState(error, DEADLOCK)) throw error;
      if (performance.now() > end) fail("state_conflict", "work of the account is still running: try again");
    }
  }
}

const LOCK_ACCOUNT_STATE = plannedStatement(
  "lock-account-state",
  "select pg_advisory_xact_lock(hashtext(:lock))",
);

// Workers skip locked rows. A row that a worker leased before it was locked ends this transaction.
async function stopWork(tx: Sql, accountId: string): Promise<void> {
  await tx.run(LOCK_ACCOUNT_STATE, { lock: `state of ${accountId}` });
  for (const [table, condition] of QUEUED) {
    await tx.runText({
      text: `select count(*) from (select 1 from ${table} where account_id = $1 and ${condition} for update) locked`,
      values: [accountId],
    });
  }
  if (await isWorkRunning(tx, accountId, now())) throw new WorkIsRunning();
}

const WITHDRAW_CHAT_NOTICES = plannedStatement(
  "withdraw-chat-notices",
  `update account_notices set dismissed_at = :at
  where account_id = :accountId and kind in ('chat_loop', 'team_assigned') and dismissed_at is null`,
);

/**
 * Deletes the state of an account: everything that a fresh sandbox does not have, except tokens, lines and settings.
 * Notices about chats on hold, or that wait for a team, no longer apply.
 */
export async function emptyState(tx: Sql, accountId: string): Promise<void> {
  for (const table of [...STATE_TABLES].reverse()) {
    await tx.runText({ text: `delete from ${table} where account_id = $1`, values: [accountId] });
  }
  await tx.run(WITHDRAW_CHAT_NOTICES, { accountId, at: now() });
}

const RESET_LINE_STATE = plannedStatement(
  "reset-line-state",
  `update lines set ${Object.entries(LINE_STATE)
    .map(([column, value]) => `${column} = ${value}`)
    .join(", ")}
  where account_id = :accountId and released_at is null`,
);

/** Gives the lines of an account the status of new lines. */
export async function renewLines(tx: Sql, accountId: string): Promise<void> {
  await tx.run(RESET_LINE_STATE, { accountId });
}
