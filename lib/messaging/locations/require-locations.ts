import "server-only";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors/errors";

/** Checks that the account's option `locations` is on. Errors: locations_not_available. */
export async function requireLocations(ctx: Context): Promise<void> {
  const { locations } = await findAccountOptions(ctx.account.id);
  if (!locations) fail("locations_not_available");
}
