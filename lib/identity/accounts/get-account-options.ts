import "server-only";
import { AccountOptions } from "@/lib/identity/accounts/account-options";
import { readAccountOptions } from "@/lib/identity/accounts/find-account-options";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";

export const GetAccountOptions = contract({
  summary: "Get the account's options",
  tag: "Account",
  right: "view_account",
  returns: AccountOptions,
  status: 200,
  errors: [],
});

/** Returns the stored options, also right after a change in another process. */
export function getAccountOptions(ctx: Context): Promise<AccountOptions> {
  return readAccountOptions(ctx.account.id);
}
