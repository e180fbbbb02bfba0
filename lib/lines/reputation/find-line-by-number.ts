import "server-only";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

/** The account's line of a number that is a path's. Errors: line_not_found; access_denied when it is another account's. */
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
