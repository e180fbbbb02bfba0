import "server-only";
import { z } from "zod";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { throwNotFoundOrDenied } from "@/lib/lines/lines/find-line";
import { FORWARDING_EVENTS } from "@/lib/lines/lines/forwarding-events";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";

export const SetForwardingNumber = contract({
  summary: "Set a phone line's forwarding number",
  description:
    "Sets the number that inbound calls to a line are forwarded to. Trunkline does not place or answer calls. Calls are forwarded only if the line's transport supports forwarding.",
  tag: "Phone lines",
  right: "manage_lines",
  params: z.object({ phoneNumber: z.uuid().describe("ID of the line.") }),
  body: z
    .object({
      forwarding_number: z
        .string()
        .nullable()
        .transform((value) => (value === "" ? null : value))
        .pipe(PhoneNumber.nullable())
        .describe("Phone number in E.164 format. `null` or an empty string ends forwarding."),
    })
    .meta({ examples: [{ forwarding_number: "+12025550199" }] }),
  returns: z
    .object({
      id: z.uuid().describe("ID of the line."),
      phone_number: z.string().describe("Number of the line in E.164 format."),
      forwarding_number: z
        .string()
        .nullable()
        .describe("Number that inbound calls are forwarded to; `null` when they are not forwarded."),
    })
    .meta({
      examples: [
        {
          id: "019ca9c2-4c00-7a31-8f00-2b6c1d4e5f60",
          phone_number: "+12025550100",
          forwarding_number: "+12025550199",
        },
      ],
    }),
  status: 200,
  errors: ["field_missing", "phone_not_e164", "parameter_invalid", "access_denied", "line_not_found"],
});

/**
 * Sets the number that a line's calls are forwarded to, also while the line is flagged
 * (docs/contract.md, section 11.1). Emits phone_number.forwarding_updated unless nothing changed. Errors:
 * line_not_found, access_denied, parameter_invalid.
 */
export async function setForwardingNumber(ctx: Context, { params, body }: Input<typeof SetForwardingNumber>) {
  const to = body.forwarding_number;

  const phoneNumber = await transaction((tx) => change(tx, ctx, params.phoneNumber, to));

  if (phoneNumber === null) return throwNotFoundOrDenied(ctx, params.phoneNumber);
  return { id: params.phoneNumber, phone_number: phoneNumber, forwarding_number: to };
}

const LOCK_FORWARDING_NUMBER = plannedStatement(
  "lock-forwarding-number",
  `select phone_number, forwarding_number from lines
  where account_id = :accountId and id = :lineId and released_at is null for no key update`,
);

const SET_FORWARDING_NUMBER = plannedStatement(
  "set-forwarding-number",
  "update lines set forwarding_number = :to where account_id = :accountId and id = :lineId",
);

async function change(tx: Sql, ctx: Context, lineId: string, to: string | null): Promise<string | null> {
  const [line] = await tx.run(LOCK_FORWARDING_NUMBER, { accountId: ctx.account.id, lineId });
  if (line === undefined) return null;
  const { phone_number, forwarding_number: from } = line;
  if (to === phone_number) fail("parameter_invalid", "forwarding_number: a line can't forward to itself");
  if (to === from) return phone_number;

  await tx.run(SET_FORWARDING_NUMBER, { accountId: ctx.account.id, lineId, to });
  await recordAudit(tx, ctx, "line.forwarding_updated", "line", lineId, { from, to });
  await emitAccountEvent(tx, requestChange(ctx), FORWARDING_EVENTS["phone_number.forwarding_updated"], {
    phone_number,
    change: { from, to },
  });
  return phone_number;
}
