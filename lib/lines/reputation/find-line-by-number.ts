import "server-only";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

/**
 * Finds the account's line by the number in a path. Errors: line_not_found; access_denied for another account's line.
 */
export async function findLineByNumber(
  ctx: Context,
  phoneNumber: string,
): Promise<{ id: string; phoneNumber: string }> {
  const lines = await prisma().line.findMany({
    where: { phoneNumber, releasedAt: null },
    select: { id: true, accountId: true, phoneNumber: true },
  });
  const own = lines.find(({ accountId }) => accountId === ctx.account.id);
  return own ?? fail(lines.length > 0 ? "access_denied" : "line_not_found");
}
