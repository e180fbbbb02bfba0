import "server-only";
import { z } from "zod";
import { allTransports } from "@/lib/adapters/transports/registry";
import { LineType } from "@/lib/chats/chat-handle";
import { PhoneNumber } from "@/lib/chats/phone-handle";
import { createLine } from "@/lib/lines/create-line";
import { Line, toLine } from "@/lib/lines/line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";
import { hasSqlState } from "@/lib/platform/has-sql-state";
import { requireRight } from "@/lib/users/role-rights";

const UNIQUE_VIOLATION = "23505";

export const AssignLine = contract({
  summary: "Assign a phone line",
  tag: "Phone lines",
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
 * Makes a number a line of the account, with phone_number.assigned (contract.md 4.2). Errors: access_denied,
 * parameter_invalid (no such transport), state_conflict (the number is a line already).
 */
export async function assignLine(ctx: Context, { body }: Input<typeof AssignLine>) {
  requireRight(ctx, "manage_account");
  const names = allTransports().map(({ name }) => name);
  if (!names.includes(body.transport)) {
    fail("parameter_invalid", `transport: this instance has ${names.join(", ")}`);
  }

  const line = { phoneNumber: body.phone_number, lineType: body.line_type, transport: body.transport };
  const { id } = await createLine(ctx.account, line, ctx).catch((error: unknown) => {
    if (!hasSqlState(error, UNIQUE_VIOLATION)) throw error;
    return fail("state_conflict", `${body.phone_number} is a line already: it must be released first`);
  });

  return toLine(
    await prisma().line.findUniqueOrThrow({ where: { accountId_id: { accountId: ctx.account.id, id } } }),
  );
}
