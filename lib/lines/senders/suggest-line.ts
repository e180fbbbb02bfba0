import "server-only";
import { z } from "zod";
import { vcardUrl } from "@/lib/lines/contact-cards/vcard-url";
import { lineTypeFor } from "@/lib/lines/senders/choose-sender";
import { failWithoutLine, recordLineUse, withLineChoice } from "@/lib/lines/senders/pick-line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { commaList } from "@/lib/platform/text/comma-list";
import { Handle, PhoneNumber } from "@/lib/platform/text/phone-handle";
import { LineType } from "@/lib/recipients/handles/chat-handle";

export const SuggestLine = contract({
  summary: "Get the best line to send from",
  description:
    "Returns the line to send from: the line of an existing chat with the recipients, otherwise the healthiest line, with ties going to the least recently used. The line is not reserved, but the suggestion counts as use. The request fails if every line is excluded.",
  tag: "Phone lines",
  right: "view_lines",
  query: z.object({
    to: commaList(Handle).describe(
      "Recipients of the message, separated by commas. The line of an existing chat with them is preferred.",
    ),
    exclude_from: commaList(PhoneNumber).describe(
      "Lines that must not start a new chat, separated by commas.",
    ),
    type: LineType.optional().describe("Only lines of this type."),
  }),
  returns: z
    .object({
      phone_number: z.string().describe("The suggested line, in E.164 format."),
      vcf_url: z.url().describe("URL of the line's contact card as a vCard, valid for 24 hours."),
    })
    .meta({
      examples: [{ phone_number: "+12025550100", vcf_url: "https://api.example.com/vcards/example.vcf" }],
    }),
  status: 200,
  errors: ["phone_not_e164", "parameter_invalid", "state_conflict"],
});

/**
 * Returns the line of the existing chat with these recipients, otherwise the healthiest line, and among equals the
 * least recently used. A suggestion counts as use but reserves nothing (docs/contract.md, section 7.3). Errors:
 * parameter_invalid (all lines are excluded), state_conflict (there is none).
 */
export async function suggestLine(ctx: Context, { query }: Input<typeof SuggestLine>) {
  const recipients = [...new Set(query.to)];
  const criteria = {
    accountId: ctx.account.id,
    isSandbox: ctx.account.type === "sandbox",
    recipients,
    lineType: query.type ?? lineTypeFor(recipients),
    excluded: query.exclude_from,
    idempotencyKey: null,
  };

  const line = await withLineChoice(criteria, async (tx, sender) => {
    const best = sender.chat?.line ?? sender.line ?? failWithoutLine(sender);
    await recordLineUse(tx, ctx.account.id, best.id);
    return best;
  });

  const address = { accountId: ctx.account.id, lineId: line.id, phoneNumber: line.phoneNumber };
  return { phone_number: line.phoneNumber, vcf_url: vcardUrl(address) };
}
