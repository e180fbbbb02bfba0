import "server-only";
import { z } from "zod";
import { throwNotFoundOrDenied } from "@/lib/lines/lines/find-line";
import { Line, toLine } from "@/lib/lines/lines/line";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";

export const FlagLine = contract({
  summary: "Flag or clear a phone line",
  tag: "Phone lines",
  right: "flag_lines",
  params: z.object({ lineId: z.uuid() }),
  body: z.object({ status: z.enum(["ACTIVE", "FLAGGED"]) }),
  returns: Line,
  status: 200,
  errors: ["field_missing", "parameter_invalid", "access_denied", "line_not_found"],
  extension: true,
});

/**
 * Flags a line manually, so that its writes fail with 2027, or clears its flag, including one that the transport set
 * (docs/contract.md, section 11.2). Errors: access_denied, line_not_found.
 */
export async function flagLine(ctx: Context, { params, body }: Input<typeof FlagLine>) {
  const where = { accountId_id: { accountId: ctx.account.id, id: params.lineId } };
  const known = await prisma().line.findUnique({
    where: { ...where, releasedAt: null },
    select: { id: true },
  });
  if (known === null) return throwNotFoundOrDenied(ctx, params.lineId);

  await setLineStatus(ctx, params.lineId, body.status);

  return toLine(await prisma().line.findUniqueOrThrow({ where }));
}
