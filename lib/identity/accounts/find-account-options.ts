import "server-only";
import {
  type AccountOptions,
  optionsSelect,
  toAccountOptions,
} from "@/lib/identity/accounts/account-options";
import { prisma } from "@/lib/platform/database/db";
import { onWake } from "@/lib/platform/database/wake";

/** Maximum age of a cached value when a notification from another instance is lost, in milliseconds. */
export const OPTIONS_KEPT_MS = 5000;
const MAX_KEPT = 10_000;

interface Kept {
  options: Promise<AccountOptions>;
  until: number;
}

const shared = globalThis as typeof globalThis & { trunklineAccountOptions?: Map<string, Kept> };

/**
 * Returns an account's options from a cache. A change applies immediately in the process that made it, and in other
 * processes after its notification, at most 5 s later. Throws when the account does not exist.
 */
export function findAccountOptions(accountId: string): Promise<AccountOptions> {
  shared.trunklineAccountOptions ??= createOptionsCache();
  const kept = shared.trunklineAccountOptions;

  const known = kept.get(accountId);
  if (known !== undefined && known.until > Date.now()) return known.options;

  const options = readAccountOptions(accountId);
  const entry = { options, until: Date.now() + OPTIONS_KEPT_MS };
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(accountId, entry);
  options.catch(() => {
    if (kept.get(accountId) === entry) kept.delete(accountId);
  });
  return options;
}

function createOptionsCache(): Map<string, Kept> {
  const kept = new Map<string, Kept>();
  onWake("accounts", () => kept.clear());
  return kept;
}

/** Reads the stored options without the cache. */
export async function readAccountOptions(accountId: string): Promise<AccountOptions> {
  const row = await prisma().account.findUniqueOrThrow({ where: { id: accountId }, select: optionsSelect });
  return toAccountOptions(row);
}
