import "server-only";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

/** Whether a user may create, change and roll tokens: admins, and developers if the account's options allow it. */
export async function mayCreateTokens({ account, actor }: Context): Promise<boolean> {
  if (actor.type !== "user" || actor.role === "admin") return true;
  if (actor.role !== "developer") return false;
  const where = { id: account.id };
  const { developerTokens } = await prisma().account.findUniqueOrThrow({
    where,
    select: { developerTokens: true },
  });
  return developerTokens;
}

/** Requires the right to create tokens. Errors: access_denied. */
export async function requireTokenCreator(ctx: Context): Promise<void> {
  if (await mayCreateTokens(ctx)) return;
  fail(
    "access_denied",
    "only admins can create API tokens: ask an admin to allow developers to create tokens in Settings",
  );
}
