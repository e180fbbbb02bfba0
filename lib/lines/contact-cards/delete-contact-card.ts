import "server-only";
import { z } from "zod";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { applyCard, type CardLine, MAX_CARD_ATTEMPTS } from "@/lib/lines/contact-cards/apply-card";
import { deleteCardImage } from "@/lib/lines/contact-cards/card-image";
import { type CardRow, findCards, toCardData } from "@/lib/lines/contact-cards/contact-card";
import { CONTACT_CARD_EVENTS } from "@/lib/lines/contact-cards/contact-card-events";
import { showStoredCard } from "@/lib/lines/contact-cards/show-stored-card";
import { findOwnLine } from "@/lib/lines/lines/find-line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";

export const DeleteContactCard = contract({
  summary: "Delete a line's contact card",
  description:
    "Removes the contact card of a line and deletes it, with its image. Recipients who saved the card keep their copy. A Trunkline extension.",
  tag: "Contact cards",
  right: "manage_lines",
  query: z.object({ phone_number: PhoneNumber.describe("Your line, in E.164 format.") }),
  status: 204,
  errors: [
    "phone_not_e164",
    "access_denied",
    "line_not_permitted",
    "line_restricted",
    "contact_card_not_found",
    "contact_card_failed",
  ],
  extension: true,
});

/**
 * Removes a card from its line and deletes it, with its image. A card that is changed or set up meanwhile is deleted,
 * too. Errors: as `DeleteContactCard`.
 */
export async function deleteContactCard(
  ctx: Context,
  { query }: Input<typeof DeleteContactCard>,
): Promise<undefined> {
  const line = await findOwnLine(ctx, query.phone_number);
  if (line.status === "FLAGGED") fail("line_restricted");
  const removed = await removeFromLine(ctx, line);
  await deleteCardImage(ctx, removed?.image?.attachment_id ?? null);
}

// Returns the card that was removed; null if another request removed it. After a failure the line shows the stored card
// again.
async function removeFromLine(ctx: Context, line: CardLine): Promise<CardRow | null> {
  let isOff = false;
  try {
    for (let tries = 0; tries < MAX_CARD_ATTEMPTS; tries++) {
      const [card] = await findCards(ctx.account.id, { lineId: line.id });
      if (card === undefined) return isOff ? null : fail("contact_card_not_found");

      await applyCard(line, null);
      isOff = true;
      if (await transaction((tx) => removeCard(tx, ctx, card))) return card;
    }
    return fail("contact_card_failed", "the contact card is being changed by another request: retry");
  } catch (error) {
    if (isOff) await showStoredCard(line);
    throw error;
  }
}

const REMOVE_CONTACT_CARD = plannedStatement(
  "remove-contact-card",
  `delete from contact_cards
  where account_id = :accountId and line_id = :lineId and id = :cardId and xmin = :version::text::xid returning id`,
);

/**
 * Deletes a card's row and, if the card was active, emits contact_card.deleted. The card is already off the line.
 * Returns false when the row has changed since it was read.
 */
export async function removeCard(tx: Sql, ctx: Context, card: CardRow): Promise<boolean> {
  const removed = await tx.run(REMOVE_CONTACT_CARD, {
    accountId: ctx.account.id,
    lineId: card.line_id,
    cardId: card.id,
    version: card.version,
  });
  if (removed.length === 0) return false;
  const { phone_number } = card;
  await recordAudit(tx, ctx, "contact_card.deleted", "contact_card", card.id, { line: phone_number });
  if (!card.is_active) return true;
  await emitAccountEvent(tx, requestChange(ctx), CONTACT_CARD_EVENTS["contact_card.deleted"], {
    phone_number,
    contact_card: toCardData(card),
  });
  return true;
}
