import "server-only";
import { z } from "zod";
import {
  ACCOUNT_COLUMNS,
  Account,
  AccountName,
  type AccountRow,
  toAccount,
} from "@/lib/identity/accounts/account";
import { ACCOUNT_COLORS, accountColor } from "@/lib/identity/accounts/account-color";
import { insertAccount } from "@/lib/identity/accounts/create-account";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/** A session reads all accounts that its user may open. */
const MAX_ACCOUNTS = 100;

export const AddAccount = contract({
  summary: "Create an account of the partner",
  tag: "Accounts",
  right: "manage_accounts",
  proof: true,
  body: z.object({
    name: AccountName,
    type: z.enum(["sandbox", "production"]),
    /** By default a color that few other accounts of the partner have. */
    color: z.enum(ACCOUNT_COLORS).optional(),
  }),
  returns: Account,
  status: 201,
  errors: ["access_denied", "field_missing", "parameter_invalid", "state_conflict"],
  extension: true,
});

const FIND_ADDED_ACCOUNT = plannedStatement(
  "find-added-account",
  `select ${ACCOUNT_COLUMNS} from accounts where id = :id`,
);

/**
 * Creates an account of the caller's partner. The partner's other accounts get environment.created. Errors:
 * state_conflict (the name is taken, or the partner has too many accounts).
 */
export async function addAccount(
  ctx: Context,
  { body }: Pick<Input<typeof AddAccount>, "body">,
): Promise<Account> {
  return transaction(async (tx) => {
    const others = await lockAccounts(tx, ctx.account.partnerId);
    if (others.length >= MAX_ACCOUNTS) {
      fail("state_conflict", `a partner can have ${MAX_ACCOUNTS} accounts: rename an archived one instead`);
    }
    failIfNameTaken(others, body.name);
    const color = body.color ?? rarestColor(others.map(accountColor));
    const { id } = await insertAccount(tx, ctx.account.partnerId, body.name, body.type, { color, by: ctx });
    const [row] = await tx.run(FIND_ADDED_ACCOUNT, { id });
    if (row === undefined) throw new Error(`the account ${id} was not stored`);
    return toAccount(row, ctx.now);
  });
}

const LOCK_ACCOUNTS_OF_PARTNER = plannedStatement(
  "lock-accounts-of-partner",
  "select pg_advisory_xact_lock(hashtextextended(:lock, 0))",
);

const LIST_PARTNER_ACCOUNTS = plannedStatement(
  "list-partner-accounts",
  `select ${ACCOUNT_COLUMNS} from accounts where partner_id = :partnerId`,
);

/** Locks the set of accounts of a partner, so that names and their number are compared one change after the other. */
export async function lockAccounts(tx: Sql, partnerId: string): Promise<AccountRow[]> {
  await tx.run(LOCK_ACCOUNTS_OF_PARTNER, { lock: `accounts ${partnerId}` });
  return tx.run(LIST_PARTNER_ACCOUNTS, { partnerId });
}

/** Names that differ only in case could be confused. Errors: state_conflict. */
export function failIfNameTaken(others: readonly AccountRow[], name: string): void {
  if (!others.some((other) => other.name.toLowerCase() === name.toLowerCase())) return;
  fail("state_conflict", `another account is called "${name}": choose a different name`);
}

function rarestColor(used: readonly string[]) {
  const countOf = (color: string) => used.filter((one) => one === color).length;
  return ACCOUNT_COLORS.reduce((rarest, color) => (countOf(color) < countOf(rarest) ? color : rarest));
}
