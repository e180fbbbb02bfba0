import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/audit/record-audit";
import { PhoneNumber } from "@/lib/chats/phone-handle";
import { applyCard } from "@/lib/contact-cards/apply-card";
import { dropPicture, keepPicture, PictureUrl } from "@/lib/contact-cards/card-picture";
import {
  CardName,
  type CardRow,
  findCards,
  SetContactCard,
  toCardFacts,
  toContactCard,
} from "@/lib/contact-cards/contact-card";
import { CreateContactCard } from "@/lib/contact-cards/create-contact-card";
import { deedOf, emitAccountEvent } from "@/lib/events/emit-account-event";
import { findOwnLine } from "@/lib/lines/find-line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";
import type { Line } from "@/lib/platform/prisma/client";
import { requireRight } from "@/lib/users/role-rights";

export const UpdateContactCard = contract({
  summary: "Change a line's contact card",
  tag: "Contact cards",
  query: z.object({ phone_number: PhoneNumber }),
  body: z.object({
    first_name: CardName.optional(),
    last_name: CardName.nullish().meta({ description: "null takes it off the card" }),
    image_url: PictureUrl.nullish().meta({ description: "null takes the picture off the card" }),
  }),
  returns: SetContactCard,
  status: 200,
  errors: [
    ...CreateContactCard.errors.filter((name) => name !== "contact_card_exists"),
    "contact_card_not_found",
    "state_conflict",
  ],
});

type Change = Input<typeof UpdateContactCard>["body"];

/**
 * Changes what is given of a line's active card, on the line first (contract.md 1.6). A card the line did not take stays
 * as it was. Errors: as `UpdateContactCard`.
 */
export async function updateContactCard(ctx: Context, { query, body }: Input<typeof UpdateContactCard>) {
  requireRight(ctx, "manage_lines");
  const line = await findOwnLine(ctx, query.phone_number);
  if (line.status === "FLAGGED") fail("line_restricted");
  const [before] = await findCards(ctx.account.id, { lineId: line.id });
  if (before === undefined || !before.is_active) {
    fail("contact_card_not_found", "set it up with POST /v3/contact_card first");
  }

  const picture = typeof body.image_url === "string" ? await keepPicture(ctx, line.id, body.image_url) : null;
  const after = await change(ctx, line, { before, body, picture }).catch(async (error: unknown) => {
    await dropPicture(ctx, picture);
    throw error;
  });
  if (body.image_url !== undefined) await dropPicture(ctx, before.image?.attachment_id ?? null);
  return after;
}

interface Merge {
  before: CardRow;
  body: Change;
  /** The attachment of the new picture. */
  picture: string | null;
}

async function change(ctx: Context, line: Line, { before, body, picture }: Merge) {
  const card = {
    firstName: body.first_name ?? before.first_name,
    lastName: body.last_name === undefined ? before.last_name : body.last_name,
    attachmentId: body.image_url === undefined ? (before.image?.attachment_id ?? null) : picture,
  };
  await applyCard(line, card);

  return transaction(async (tx) => {
    const changed = await tx.query<{ id: string }>({
      text: `update contact_cards set first_name = $4, last_name = $5, attachment_id = $6, updated_at = $7
             where account_id = $1 and line_id = $2 and id = $3 and is_active returning id`,
      values: [ctx.account.id, line.id, before.id, card.firstName, card.lastName, card.attachmentId, ctx.now],
    });
    const [after] = await findCards(ctx.account.id, { lineId: line.id, on: tx });
    if (changed.length === 0 || after === undefined) fail("state_conflict", "the card was deleted meanwhile");

    const changes = changesOf(before, after);
    if (Object.keys(changes).length === 0) return toContactCard(after);
    await recordAudit(tx, ctx, "contact_card.updated", "contact_card", after.id, changes);
    await emitAccountEvent(tx, deedOf(ctx), "contact_card.updated", {
      phone_number: line.phoneNumber,
      contact_card: toCardFacts(after),
      change: changes,
    });
    return toContactCard(after);
  });
}

function changesOf(before: CardRow, after: CardRow) {
  const { first_name, last_name, image } = after;
  const hasNewImage = before.image?.attachment_id !== image?.attachment_id;
  return {
    ...(before.first_name === first_name ? {} : { first_name: { from: before.first_name, to: first_name } }),
    ...(before.last_name === last_name ? {} : { last_name: { from: before.last_name, to: last_name } }),
    ...(hasNewImage ? { image: { from: before.image, to: image } } : {}),
  };
}
