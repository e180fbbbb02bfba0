import "server-only";
import { ACCOUNT_COLUMNS, type AccountRow } from "@/lib/identity/accounts/account";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const LOCK_ACCOUNT = statement(
  "lock-account",
  `select ${ACCOUNT_COLUMNS} from accounts where id = :accountId for no key update`,
);

/**
 * Locks an account of the caller's partner for a change of the account itself. Sends and other writes in the account
 * don't wait for the lock. Errors: access_denied (another partner's account), name_unknown.
 */
export async function lockAccount(tx: Sql, { account }: Context, accountId: string): Promise<AccountRow> {
  const [row] = await tx.run(LOCK_ACCOUNT, { accountId });
  if (row === undefined) fail("name_unknown", "this account does not exist");
  if (row.partner_id !== account.partnerId) fail("access_denied");
  return row;
}

/** The context of a change to another account of the partner, for its audit entry. */
export function inAccount(ctx: Context, { id, partner_id, type }: AccountRow): Context {
  return { ...ctx, account: { id, partnerId: partner_id, type } };
}
