import "server-only";
import { z } from "zod";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import { AccountOptions, ChosenOptions, OperatorOptions } from "@/lib/identity/accounts/account-options";
import { ENVIRONMENT_EVENTS } from "@/lib/identity/accounts/environment-events";
import { getAccountOptions } from "@/lib/identity/accounts/get-account-options";
import { RELEASED_AFTER_MS, releaseHeld } from "@/lib/identity/accounts/release-held";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

const Changes = z.object({ ...ChosenOptions.shape, ...OperatorOptions.shape }).partial();
const OptionName = Changes.keyof();
type OptionName = z.infer<typeof OptionName>;

export const UpdateAccountOptions = contract({
  summary: "Change the account's options",
  tag: "Account",
  right: "manage_account",
  proof: ["retention_minutes", "developer_tokens"],
  body: Changes,
  returns: AccountOptions,
  status: 200,
  errors: ["access_denied", "parameter_invalid"],
});

/** The type of each option's column. Columns have the option's name. */
const COLUMNS = {
  locations: "boolean",
  rcs: "boolean",
  attachment_tier: "attachment_tier",
  retention_minutes: "int",
  first_message_links: "first_message_links",
  default_webhook_version: "text",
  developer_tokens: "boolean",
  take_over_minutes: "int",
  loop_exchanges: "int",
  message_search: "boolean",
  quiet_hours: "jsonb",
  expires_at: "timestamptz",
  requests_per_minute: "int",
  daily_messages: "int",
  pair_messages: "int",
  storage_mb: "int",
  checkout_clip: "app_clip_state",
} as const satisfies Record<OptionName, string>;

/**
 * Changes the given options. The audit entry contains the previous values (docs/contract.md, section 2.3). Only
 * operators may change limits, expiry and the review state of the checkout's app clip. Errors: access_denied.
 */
export async function updateAccountOptions(
  ctx: Context,
  { body }: Pick<Input<typeof UpdateAccountOptions>, "body">,
): Promise<AccountOptions> {
  const names = OptionName.options.filter((name) => body[name] !== undefined);
  const operators = names.find((name) => name in OperatorOptions.shape);
  if (ctx.actor.type !== "system" && operators !== undefined) {
    fail(
      "access_denied",
      `only the operator can change ${operators}, with npm run admin -- set-account-options`,
    );
  }

  await transaction((tx) => storeAccountOptions(tx, ctx, body));
  return getAccountOptions(ctx);
}

/** Stores the given options with their audit entry, without a check of the actor. */
export async function storeAccountOptions(
  tx: Sql,
  ctx: Context,
  options: z.infer<typeof Changes>,
): Promise<void> {
  const names = OptionName.options.filter((name) => options[name] !== undefined);
  if (names.length > 0) await storeOptions(tx, ctx, names, options);
}

async function storeOptions(
  tx: Sql,
  ctx: Context,
  names: readonly OptionName[],
  to: z.infer<typeof Changes>,
): Promise<void> {
  const sets = names.map((name) => `${name} = ($2::jsonb ->> '${name}')::${COLUMNS[name]}`);
  const [before] = await tx.runText<{ from: Record<string, unknown> }>({
    text: `with before as (select * from accounts where id = $1 for no key update)
           update accounts a set ${sets.join(", ")} from before
           where a.id = before.id
           returning (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(before)) where key = any($3)) as from`,
    values: [ctx.account.id, JSON.stringify(to), names],
  });
  if (before === undefined) throw new Error(`there is no account ${ctx.account.id}`);
  await emitRetentionChange(tx, ctx, before.from, to);
  const dueAt = new Date(ctx.now.getTime() + RELEASED_AFTER_MS);
  if (to.quiet_hours !== undefined) await releaseHeld(tx, { accountId: ctx.account.id, handle: null, dueAt });
  await recordAudit(tx, ctx, "account.options_changed", "account", ctx.account.id, { from: before.from, to });
  tx.wake("accounts");
}

const Window = ChosenOptions.pick({ retention_minutes: true }).partial();

// The event reports only whether there is a retention period, not its length (docs/contract.md, section 12.6).
async function emitRetentionChange(
  tx: Sql,
  ctx: Context,
  before: Record<string, unknown>,
  { retention_minutes: to }: z.infer<typeof Changes>,
): Promise<void> {
  const { retention_minutes: from } = Window.parse(before);
  if (to === undefined || from === undefined || to === from) return;
  await emitAccountEvent(tx, requestChange(ctx), ENVIRONMENT_EVENTS["zero_day_retention.updated"], {
    change: { from: from !== null, to: to !== null },
  });
}
