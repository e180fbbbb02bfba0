import "server-only";
import { z } from "zod";
import { requireTransport } from "@/lib/lines/connections/require-transport";
import { createLine } from "@/lib/lines/lines/create-line";
import { Line, toLine } from "@/lib/lines/lines/line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";
import { fail } from "@/lib/platform/errors/errors";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";
import { LineType } from "@/lib/recipients/handles/chat-handle";

const UNIQUE_VIOLATION = "23505";

export const AssignLine = contract({
  summary: "Assign a phone line",
  tag: "Phone lines",
  right: "assign_lines",
  proof: true,
  body: z.object({
    phone_number: PhoneNumber,
    line_type: LineType,
    transport: z.string().meta({ description: "The name of a transport of this instance" }),
  }),
  returns: Line,
  status: 201,
  errors: ["field_missing", "phone_not_e164", "parameter_invalid", "access_denied", "state_conflict"],
  extension: true,
});

/**
 * Makes a number a line of the account, with phone_number.assigned (docs/contract.md, section 11.2). Errors:
 * parameter_invalid (as `requireTransport`), state_conflict (the number is already a line, of any account).
 */
export async function assignLine(ctx: Context, { body }: Input<typeof AssignLine>) {
  requireTransport(ctx.account, body.transport);

  const line = { phoneNumber: body.phone_number, lineType: body.line_type, transport: body.transport };
  const { id } = await createLine(ctx.account, line, ctx).catch((error: unknown) => {
    if (!hasSqlState(error, UNIQUE_VIOLATION)) throw error;
    return fail("state_conflict", "the number can't be assigned: release it first");
  });

  return toLine(
    await prisma().line.findUniqueOrThrow({ where: { accountId_id: { accountId: ctx.account.id, id } } }),
  );
}
