import "server-only";
import { z } from "zod";
import { vcardUrl } from "@/lib/lines/contact-cards/vcard-url";
import { lineTypeFor } from "@/lib/lines/lines/choose-sender";
import { failWithoutLine, notePick, withPick } from "@/lib/lines/lines/pick-line";
import { commaList } from "@/lib/platform/comma-list";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { Handle, PhoneNumber } from "@/lib/platform/phone-handle";
import { LineType } from "@/lib/recipients/handles/chat-handle";

export const SuggestLine = contract({
  summary: "Get the best line to send from",
  tag: "Phone lines",
  right: "view_lines",
  query: z.object({
    to: commaList(Handle).meta({
      description: "Whom a message is for: the line of a chat with them comes first",
    }),
    exclude_from: commaList(PhoneNumber).meta({ description: "Lines no new chat shall begin on" }),
    type: LineType.optional(),
  }),
  returns: z.object({
    phone_number: z.string(),
    vcf_url: z.url().meta({ description: "The line's contact card as a vCard, for 24 hours" }),
  }),
  status: 200,
  errors: ["phone_not_e164", "parameter_invalid", "state_conflict"],
});

/**
 * The line of the chat there is with these recipients, else the healthiest, of equals the least recently used: being
 * suggested counts as use, and reserves nothing (contract.md 1.4). Errors: parameter_invalid (all lines are excluded),
 * state_conflict (there is none).
 */
export async function suggestLine(ctx: Context, { query }: Input<typeof SuggestLine>) {
  const recipients = [...new Set(query.to)];
  const wish = {
    accountId: ctx.account.id,
    isSandbox: ctx.account.type === "sandbox",
    recipients,
    lineType: query.type ?? lineTypeFor(recipients),
    excluded: query.exclude_from,
    idempotencyKey: null,
  };

  const line = await withPick(wish, async (tx, sender) => {
    const best = sender.chat?.line ?? sender.line ?? failWithoutLine(sender);
    await notePick(tx, ctx.account.id, best.id);
    return best;
  });

  const address = { accountId: ctx.account.id, lineId: line.id, phoneNumber: line.phoneNumber };
  return { phone_number: line.phoneNumber, vcf_url: vcardUrl(address) };
}
