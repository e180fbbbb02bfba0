import "server-only";
import { z } from "zod";
import { transportOf } from "@/lib/adapters/transports/registry";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/db";

const DeprecatedLine = z
  .object({
    id: z.uuid(),
    phone_number: z.string(),
    capabilities: z.object({ mms: z.boolean(), sms: z.boolean(), voice: z.boolean() }),
    country_code: z.null(),
    type: z.null(),
  })
  .meta({ id: "DeprecatedPhoneNumber", deprecated: true });

export const ListLinesDeprecated = contract({
  summary: "List phone lines (deprecated: use /v3/phone_numbers)",
  tag: "Phone lines",
  right: "view_lines",
  returns: z.object({ phone_numbers: z.array(DeprecatedLine) }),
  status: 200,
  errors: [],
});

/** The account's lines in the shape before /v3/phone_numbers (partner-api.md, Phone line). No line takes calls. */
export async function listLinesDeprecated(ctx: Context) {
  const rows = await prisma().line.findMany({
    where: { accountId: ctx.account.id, releasedAt: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return {
    phone_numbers: rows.map(({ id, phoneNumber, transport }) => ({
      id,
      phone_number: phoneNumber,
      capabilities: { mms: transportOf(transport).caps("SMS").has("media"), sms: true, voice: false },
      country_code: null,
      type: null,
    })),
  };
}
