import "server-only";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

/** Every number is a line of the account. Errors: line_not_permitted, naming the first that is not. */
export async function checkOwnLines(ctx: Context, phoneNumbers: readonly string[]): Promise<void> {
  if (phoneNumbers.length === 0) return;
  const lines = await prisma().line.findMany({
    where: { accountId: ctx.account.id, phoneNumber: { in: [...phoneNumbers] } },
    select: { phoneNumber: true },
  });
  const own = new Set(lines.map((line) => line.phoneNumber));
  const foreign = phoneNumbers.find((number) => !own.has(number));
  if (foreign !== undefined) fail("line_not_permitted", `${foreign} is not a line of this account`);
}
