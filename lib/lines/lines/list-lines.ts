import "server-only";
import { z } from "zod";
import { Line, toLine } from "@/lib/lines/lines/line";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";

export const ListLines = contract({
  summary: "List phone lines",
  description:
    "Returns the phone lines of the account with their status and reputation. The list is not paginated.",
  tag: "Phone lines",
  right: "view_lines",
  returns: z.object({ phone_numbers: z.array(Line).describe("The lines of the account.") }),
  status: 200,
  errors: [],
});

/** All lines of the account, oldest first; not paginated (docs/contract.md, section 11.1). */
export async function listLines(ctx: Context) {
  const rows = await prisma().line.findMany({
    where: { accountId: ctx.account.id, releasedAt: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return { phone_numbers: rows.map(toLine) };
}
