import "server-only";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

/**
 * The ids of the account's lines with these numbers. Errors: line_not_permitted, naming the first number that is not
 * one of the account's lines.
 */
export async function findOwnLines(ctx: Context, phoneNumbers: readonly string[]): Promise<string[]> {
  if (phoneNumbers.length === 0) return [];
  const lines = await prisma().line.findMany({
    where: { accountId: ctx.account.id, phoneNumber: { in: [...phoneNumbers] } },
    select: { id: true, phoneNumber: true },
  });
  const own = new Set(lines.map((line) => line.phoneNumber));
  const foreign = phoneNumbers.find((number) => !own.has(number));
  if (foreign !== undefined) fail("line_not_permitted", `${foreign} is not a line of this account`);
  return lines.map((line) => line.id);
}
