import "server-only";
import { z } from "zod";
import { transportOf } from "@/lib/adapters/transports/registry";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";

const DeprecatedLine = z
  .object({
    id: z.uuid().describe("ID of the line."),
    phone_number: z.string().describe("Number of the line in E.164 format."),
    capabilities: z
      .object({
        mms: z.boolean().describe("`true` if the line can send MMS."),
        sms: z.boolean().describe("`true` if the line can send SMS."),
        voice: z.boolean().describe("`true` if the line can receive calls."),
      })
      .describe("Capabilities of the line."),
    country_code: z.null().describe("Always `null`."),
    type: z.null().describe("Always `null`."),
  })
  .meta({
    id: "DeprecatedPhoneNumber",
    deprecated: true,
    description: "Deprecated. A phone line as `GET /v3/phonenumbers` returns it.",
    examples: [
      {
        id: "019ca9c2-4c00-7a31-8f00-2b6c1d4e5f60",
        phone_number: "+12025550100",
        capabilities: { mms: true, sms: true, voice: false },
        country_code: null,
        type: null,
      },
    ],
  });

export const ListLinesDeprecated = contract({
  summary: "List phone lines (deprecated: use /v3/phone_numbers)",
  description:
    "Deprecated. Returns the phone lines of the account in an older form. Use `GET /v3/phone_numbers`.",
  tag: "Phone lines",
  right: "view_lines",
  returns: z.object({ phone_numbers: z.array(DeprecatedLine).describe("The lines of the account.") }),
  status: 200,
  errors: [],
});

/**
 * The account's lines in the format that preceded /v3/phone_numbers (docs/contract.md, section 11.1). No line supports
 * calls.
 */
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
