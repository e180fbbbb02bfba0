import "server-only";
import { storeAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { changeStoppedAccount, emptyState, renewLines } from "@/lib/simulator/accounts/account-state";
import { announceFaults } from "@/lib/simulator/faults/change-faults";
import { announceLimitReset, resetLimits } from "@/lib/simulator/faults/change-limits";
import { requireSimulatedLines } from "@/lib/simulator/lines/require-simulated-lines";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

export const ResetAccount = contract({
  summary: "Reset the account",
  description:
    "Deletes the state of the sandbox account in one transaction: chats, messages, events, webhook deliveries, phones, faults, opt-outs and payments. Limits return to their defaults. Tokens, lines, contact cards, webhook subscriptions, settings, files, snapshots and the request log stay. Waits until running work has ended. Event and webhook sequence numbers continue to increase, and cursors of event streams stay valid. Fails with 2011 if the account has a line that is not simulated.",
  tag: "Simulator",
  right: "manage_account",
  sandboxOnly: true,
  status: 204,
  errors: ["state_conflict", "feature_not_available"],
  extension: true,
});

/** Returns the account to a fresh sandbox, in one transaction. Errors: as `ResetAccount`. */
export async function resetAccount(ctx: Context): Promise<undefined> {
  requireSandbox(ctx);
  const accountId = ctx.account.id;
  await changeStoppedAccount(accountId, async (tx) => {
    await requireSimulatedLines(tx, accountId);
    await emptyState(tx, accountId);
    await renewLines(tx, accountId);
    await storeAccountOptions(tx, ctx, await defaultLimits(tx, accountId));
    await resetLimits(tx, ctx);
    await recordAudit(tx, ctx, "account.reset", "account", accountId);
    tx.wake("phones");
  });
  await Promise.all([announceFaults(), announceLimitReset()]);
}

const IS_ACCOUNT_DISPOSABLE = plannedStatement(
  "is-account-disposable",
  "select disposable_until is not null as is_disposable from accounts where id = :accountId",
);

// A disposable account never had a daily limit.
async function defaultLimits(tx: Sql, accountId: string) {
  const { SANDBOX_DAILY_MESSAGES, PAIR_MESSAGES } = env();
  const [account] = await tx.run(IS_ACCOUNT_DISPOSABLE, { accountId });
  const dailyMessages = account?.is_disposable === true ? 0 : SANDBOX_DAILY_MESSAGES;
  return {
    daily_messages: dailyMessages === 0 ? null : dailyMessages,
    pair_messages: PAIR_MESSAGES === 0 ? null : PAIR_MESSAGES,
    requests_per_minute: null,
  };
}
