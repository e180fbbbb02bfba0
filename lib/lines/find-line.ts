import "server-only";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";
import type { Line } from "@/lib/platform/prisma/client";

/** The account's line of a number. Errors: line_not_permitted, whether it is another account's or nobody's. */
export async function findOwnLine(ctx: Context, phoneNumber: string): Promise<Line> {
  const line = await prisma().line.findUnique({ where: { phoneNumber, accountId: ctx.account.id } });
  return line ?? fail("line_not_permitted", `${phoneNumber} is not a line of this account`);
}
