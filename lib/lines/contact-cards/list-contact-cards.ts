import "server-only";
import { z } from "zod";
import { findCards, SetContactCard, toContactCard } from "@/lib/lines/contact-cards/contact-card";
import { findOwnLine } from "@/lib/lines/lines/find-line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";

export const ListContactCards = contract({
  summary: "List contact cards",
  description: "Returns the contact cards of your lines.",
  tag: "Contact cards",
  right: "view_lines",
  query: z.object({ phone_number: PhoneNumber.optional().describe("Only the card of this line.") }),
  returns: z.object({
    contact_cards: z.array(SetContactCard).describe("Contact cards, one for each line that has one."),
  }),
  status: 200,
  errors: ["phone_not_e164", "line_not_permitted"],
});

/**
 * Returns the cards of all lines, or of one. A card that the line rejected is not active. Errors: line_not_permitted.
 */
export async function listContactCards(ctx: Context, { query }: Input<typeof ListContactCards>) {
  const { phone_number } = query;
  const lineId = phone_number === undefined ? null : (await findOwnLine(ctx, phone_number)).id;
  return { contact_cards: (await findCards(ctx.account.id, { lineId })).map(toContactCard) };
}
