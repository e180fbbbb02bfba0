import "server-only";
import { findOwnLine } from "@/lib/lines/lines/find-line";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import type { Line } from "@/lib/platform/prisma/client";

/**
 * Finds the line for a capability check: the named line, else the best one for the service. Errors:
 * line_not_permitted, service_not_supported (iMessage check from an RCS line), service_unavailable (RCS is off),
 * state_conflict (no line).
 */
export async function findCheckingLine(
  ctx: Context,
  service: "iMessage" | "RCS",
  from: string | undefined,
): Promise<Line> {
  if (from !== undefined) return usable(await findOwnLine(ctx, from), service);

  const isRcs = service === "RCS";
  const line = await prisma().line.findFirst({
    where: {
      accountId: ctx.account.id,
      releasedAt: null,
      ...(isRcs ? { rcs: true } : { lineType: service }),
    },
    // Lines of the service's own type first. Enums sort in declaration order: iMessage before RCS.
    orderBy: [
      { lineType: isRcs ? "desc" : "asc" },
      { isUp: "desc" },
      { status: "asc" },
      { createdAt: "asc" },
    ],
  });
  if (line !== null) return line;
  return isRcs ? failWithoutRcs() : fail("state_conflict", "no line of the account supports iMessage");
}

function usable(line: Line, service: "iMessage" | "RCS"): Line {
  if (service === "RCS" && !line.rcs) failWithoutRcs();
  if (service === "iMessage" && line.lineType !== "iMessage") {
    fail(
      "service_not_supported",
      `from: ${line.phoneNumber} does not support iMessage: use another line or omit from`,
    );
  }
  return line;
}

function failWithoutRcs(): never {
  return fail("service_unavailable", "RCS is off for the line: ask your operator to turn it on");
}
