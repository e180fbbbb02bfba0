import "server-only";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import type { Line } from "@/lib/platform/prisma/client";

/** Finds the account's line with a number. Errors: line_not_permitted (another account's line, or no line). */
export async function findOwnLine(ctx: Context, phoneNumber: string): Promise<Line> {
  const line = await prisma().line.findFirst({
    where: { accountId: ctx.account.id, phoneNumber, releasedAt: null },
  });
  return line ?? failNoLine(phoneNumber);
}

/** Throws line_not_permitted for a number that is not a line of the account. */
export function failNoLine(phoneNumber: string): never {
  return fail("line_not_permitted", `${phoneNumber} is not a line of this account`);
}

/** Throws access_denied when the line belongs to another account, else line_not_found. */
export async function throwNotFoundOrDenied(ctx: Context, lineId: string): Promise<never> {
  const foreign = await prisma().line.findFirst({
    where: { id: lineId, accountId: { not: ctx.account.id } },
    select: { id: true },
  });
  return fail(foreign === null ? "line_not_found" : "access_denied");
}
