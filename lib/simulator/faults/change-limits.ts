import "server-only";
import { z } from "zod";
import { ChosenOptions, OperatorOptions } from "@/lib/identity/accounts/account-options";
import { storeAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { resumeAllChats } from "@/lib/messaging/loops/resume-chat";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";
import { loadLimitResets } from "@/lib/platform/sandbox/limit-resets";
import { requireSimulatedLines } from "@/lib/simulator/lines/require-simulated-lines";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const { daily_messages, pair_messages, requests_per_minute } = OperatorOptions.shape;
const { loop_exchanges } = ChosenOptions.shape;

const Limits = z.object({
  daily_messages: daily_messages.describe(
    "Inbound and outbound messages per day in UTC; `null` for no limit.",
  ),
  pair_messages: pair_messages.describe(
    "Messages per 60 seconds from one line to one recipient; `null` for no limit.",
  ),
  requests_per_minute: requests_per_minute.describe(
    "Requests per minute of one token; `null` for the default of the instance.",
  ),
  loop_exchanges: loop_exchanges.describe(
    "Exchanges after which a chat in which two programs answer each other goes on hold; `null` for never.",
  ),
});

const CurrentLimits = Limits.extend({
  messages_today: z
    .int()
    .describe("Messages that count toward `daily_messages` today. Counted only while the limit is set."),
}).meta({
  examples: [
    {
      daily_messages: 100,
      pair_messages: 30,
      requests_per_minute: null,
      loop_exchanges: 20,
      messages_today: 12,
    },
  ],
});

export const GetLimits = contract({
  summary: "Get the limits of the account",
  description: "Returns the limits of the sandbox account and the number of messages that count today.",
  tag: "Simulator",
  right: "view_account",
  sandboxOnly: true,
  returns: CurrentLimits,
  status: 200,
  errors: ["feature_not_available"],
  extension: true,
});

export const ChangeLimits = contract({
  summary: "Set the limits of the account or reset their counters",
  description:
    "Changes the limits of the sandbox account. Omitted limits keep their values. `reset` sets every counter to zero: the messages of the day, the messages to each recipient, and the requests of the minute. It also resumes chats that are on hold for a loop. Fails with 2011 if the account has a line that is not simulated.",
  tag: "Simulator",
  right: "manage_account",
  sandboxOnly: true,
  body: Limits.partial()
    .extend({ reset: z.literal(true).optional().describe("`true` sets the counters to zero.") })
    .refine((change) => Object.values(change).some((value) => value !== undefined), {
      message: "set daily_messages, pair_messages, requests_per_minute, loop_exchanges or reset",
    })
    .meta({ examples: [{ daily_messages: 5, reset: true }] }),
  returns: CurrentLimits,
  status: 200,
  errors: ["body_invalid", "parameter_invalid", "feature_not_available"],
  extension: true,
});

const GET_LIMITS = plannedStatement(
  "get-limits",
  `select daily_messages, pair_messages, requests_per_minute, loop_exchanges, coalesce((
    select messages from account_days d where d.account_id = :accountId and d.day = (:now::timestamptz at time zone 'UTC')::date
  ), 0) as messages_today
  from accounts a where id = :accountId`,
);

/** Returns the account's limits. Errors: feature_not_available. */
export async function getLimits(ctx: Context): Promise<z.infer<typeof CurrentLimits>> {
  requireSandbox(ctx);
  const [row] = await sql.run(GET_LIMITS, { accountId: ctx.account.id, now: ctx.now });
  if (row === undefined) throw new Error(`there is no account ${ctx.account.id}`);
  return row;
}

/** Changes limits and resets counters in one transaction. Errors: as `ChangeLimits`. */
export async function changeLimits(ctx: Context, { body }: Input<typeof ChangeLimits>) {
  requireSandbox(ctx);
  const { reset, ...limits } = body;
  await transaction(async (tx) => {
    // A limit of the operator must protect lines that send over a real network.
    await requireSimulatedLines(tx, ctx.account.id);
    await storeAccountOptions(tx, ctx, limits);
    if (reset) {
      // Inbound messages lock their chat first, and then the row of the day.
      await resumeAllChats(tx, ctx);
      await resetLimits(tx, ctx);
      await recordAudit(tx, ctx, "account.limits_reset", "account", ctx.account.id);
    }
  });
  if (reset) await announceLimitReset();
  return getLimits(ctx);
}

const DELETE_ACCOUNT_DAYS = plannedStatement(
  "delete-account-days",
  "delete from account_days where account_id = :accountId",
);

const DELETE_TOKEN_MINUTES = plannedStatement(
  "delete-token-minutes",
  "delete from token_minutes where account_id = :accountId",
);

const RECORD_LIMITS_RESET = plannedStatement(
  "record-limits-reset",
  `insert into simulator_accounts (account_id, limits_reset_id) values (:accountId, :id)
  on conflict (account_id) do update set limits_reset_id = excluded.limits_reset_id`,
);

/** Sets the counters of the account's limits to zero. Call `announceLimitReset` after the commit. */
export async function resetLimits(tx: Sql, ctx: Context): Promise<void> {
  const accountId = ctx.account.id;
  await tx.run(DELETE_ACCOUNT_DAYS, { accountId });
  await tx.run(DELETE_TOKEN_MINUTES, { accountId });
  await tx.run(RECORD_LIMITS_RESET, {
    accountId,
    id: newId(ctx.now.getTime(), accountId, "message"),
  });
}

/** Applies a committed reset in this process, and lets the other processes know. */
export async function announceLimitReset(): Promise<void> {
  await loadLimitResets();
  sql.wake("limits");
}
