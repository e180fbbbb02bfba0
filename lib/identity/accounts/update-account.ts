import "server-only";
import { z } from "zod";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import {
  Account,
  AccountName,
  AccountParams,
  type AccountRow,
  toAccount,
} from "@/lib/identity/accounts/account";
import { ACCOUNT_COLORS, accountColor } from "@/lib/identity/accounts/account-color";
import { failIfNameTaken, lockAccounts } from "@/lib/identity/accounts/add-account";
import { ENVIRONMENT_EVENTS } from "@/lib/identity/accounts/environment-events";
import { findAccountIds } from "@/lib/identity/accounts/find-account-ids";
import { inAccount, lockAccount } from "@/lib/identity/accounts/lock-account";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

export const UpdateAccount = contract({
  summary: "Rename an account or change its color",
  tag: "Accounts",
  right: "manage_accounts",
  params: AccountParams,
  body: z.object({ name: AccountName.optional(), color: z.enum(ACCOUNT_COLORS).optional() }),
  returns: Account,
  status: 200,
  errors: ["access_denied", "name_unknown", "parameter_invalid", "state_conflict"],
  extension: true,
});

/**
 * Renames an account of the caller's partner or changes its color. A new name is reported to every account of the
 * partner with environment.renamed. Errors: access_denied, name_unknown, state_conflict (the name is taken).
 */
export async function updateAccount(
  ctx: Context,
  { params, body }: Pick<Input<typeof UpdateAccount>, "params" | "body">,
): Promise<Account> {
  return transaction(async (tx) => {
    const all = await lockAccounts(tx, ctx.account.partnerId);
    const before = await lockAccount(tx, ctx, params.accountId);
    const after = { ...before, name: body.name ?? before.name, color: body.color ?? before.color };
    failIfNameTaken(
      all.filter(({ id }) => id !== before.id),
      after.name,
    );
    if (after.name !== before.name || after.color !== before.color) await store(tx, ctx, before, after);
    return toAccount(after, ctx.now);
  });
}

const UPDATE_ACCOUNT = plannedStatement(
  "update-account",
  "update accounts set name = :afterName, color = :color where id = :beforeId",
);

async function store(tx: Sql, ctx: Context, before: AccountRow, after: AccountRow): Promise<void> {
  await tx.run(UPDATE_ACCOUNT, { beforeId: before.id, afterName: after.name, color: after.color });
  await recordAudit(tx, inAccount(ctx, before), "account.updated", "account", before.id, {
    from: { name: before.name, color: accountColor(before) },
    to: { name: after.name, color: accountColor(after) },
  });
  if (after.name !== before.name) await emitRenamed(tx, ctx, before, after.name);
}

async function emitRenamed(tx: Sql, ctx: Context, before: AccountRow, to: string): Promise<void> {
  const accountIds = await findAccountIds(tx, before.partner_id);
  await emitAccountEvent(
    tx,
    { ...requestChange(ctx), accountIds },
    ENVIRONMENT_EVENTS["environment.renamed"],
    {
      environment: { name: to, type: "environment" },
      change: { from: before.name, to },
    },
  );
}
