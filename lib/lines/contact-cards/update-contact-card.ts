import "server-only";
import { z } from "zod";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { applyCard, type CardContent, MAX_CARD_ATTEMPTS } from "@/lib/lines/contact-cards/apply-card";
import { deleteCardImage, ImageUrl, storeCardImage } from "@/lib/lines/contact-cards/card-image";
import {
  CardName,
  type CardRow,
  contentOf,
  findCards,
  SetContactCard,
  toCardData,
  toContactCard,
} from "@/lib/lines/contact-cards/contact-card";
import { CONTACT_CARD_EVENTS } from "@/lib/lines/contact-cards/contact-card-events";
import { CreateContactCard } from "@/lib/lines/contact-cards/create-contact-card";
import { showStoredCard } from "@/lib/lines/contact-cards/show-stored-card";
import { findOwnLine } from "@/lib/lines/lines/find-line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import type { Line } from "@/lib/platform/prisma/client";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";

export const UpdateContactCard = contract({
  summary: "Change a line's contact card",
  description: "Updates the contact card of a line. Omitted fields keep their values.",
  tag: "Contact cards",
  right: "manage_lines",
  query: z.object({ phone_number: PhoneNumber.describe("Your line, in E.164 format.") }),
  body: z
    .object({
      first_name: CardName.optional().describe("New first name, or name of the business."),
      last_name: CardName.nullish().describe("New last name. `null` removes it from the card."),
      image_url: ImageUrl.nullish().describe("URL of the new image. `null` removes the image from the card."),
    })
    .meta({ examples: [{ first_name: "Harbor", last_name: null }] }),
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
 * Changes the given fields of a line's active card, on the line first (docs/contract.md, section 11.5). A card that the
 * line rejects does not change, and concurrent changes are all applied. Errors: as `UpdateContactCard`.
 */
export async function updateContactCard(ctx: Context, { query, body }: Input<typeof UpdateContactCard>) {
  const line = await findOwnLine(ctx, query.phone_number);
  if (line.status === "FLAGGED") fail("line_restricted");
  await findActive(ctx, line);

  const photo =
    typeof body.image_url === "string" ? await storeCardImage(ctx, line.id, body.image_url) : null;
  const { before, after } = await change(ctx, line, { body, photo }).catch(async (error: unknown) => {
    await deleteCardImage(ctx, photo);
    throw error;
  });
  if (body.image_url !== undefined) await deleteCardImage(ctx, before.image?.attachment_id ?? null);
  return toContactCard(after);
}

async function findActive(ctx: Context, line: Line): Promise<CardRow> {
  const [card] = await findCards(ctx.account.id, { lineId: line.id });
  if (card?.is_active) return card;
  return fail("contact_card_not_found", "create it with POST /v3/contact_card first");
}

interface Given {
  body: Change;
  /** The attachment of the new image. */
  photo: string | null;
}

// No lock is held during the request to the line. Changes stored by others in the meantime are merged and sent to the
// line. After a failure the line shows the stored card again.
async function change(ctx: Context, line: Line, given: Given): Promise<{ before: CardRow; after: CardRow }> {
  let isShown = false;
  try {
    for (let tries = 0; tries < MAX_CARD_ATTEMPTS; tries++) {
      const before = await findActive(ctx, line);
      const card = merge(before, given);
      await applyCard(line, card);
      isShown = true;
      const after = await transaction((tx) => store(tx, ctx, { line, before, card }));
      if (after !== null) return { before, after };
    }
    return fail("state_conflict", "the contact card is being changed by another request: retry");
  } catch (error) {
    if (isShown) await showStoredCard(line);
    throw error;
  }
}

function merge(before: CardRow, { body, photo }: Given): CardContent {
  const { firstName, lastName, attachmentId } = contentOf(before);
  return {
    firstName: body.first_name ?? firstName,
    lastName: body.last_name === undefined ? lastName : body.last_name,
    attachmentId: body.image_url === undefined ? attachmentId : photo,
  };
}

const UPDATE_CONTACT_CARD = plannedStatement(
  "update-contact-card",
  `update contact_cards set first_name = :firstName, last_name = :lastName, attachment_id = :attachmentId, updated_at = :now
  where account_id = :accountId and line_id = :lineId and id = :beforeId and is_active and first_name = :knownFirstName
    and last_name is not distinct from :knownLastName and attachment_id is not distinct from :knownAttachmentId::uuid
  returning id`,
);

// Returns null when the card has changed since it was read.
async function store(
  tx: Sql,
  ctx: Context,
  { line, before, card }: { line: Line; before: CardRow; card: CardContent },
): Promise<CardRow | null> {
  const changed = await tx.run(UPDATE_CONTACT_CARD, {
    accountId: ctx.account.id,
    lineId: line.id,
    beforeId: before.id,
    firstName: card.firstName,
    lastName: card.lastName,
    attachmentId: card.attachmentId,
    now: ctx.now,
    knownFirstName: before.first_name,
    knownLastName: before.last_name,
    knownAttachmentId: before.attachment_id,
  });
  const [after] = await findCards(ctx.account.id, { lineId: line.id, on: tx });
  if (changed.length === 0 || after === undefined) return null;

  const changes = changesOf(before, after);
  if (Object.keys(changes).length === 0) return after;
  await recordAudit(tx, ctx, "contact_card.updated", "contact_card", after.id, changes);
  await emitAccountEvent(tx, requestChange(ctx), CONTACT_CARD_EVENTS["contact_card.updated"], {
    phone_number: line.phoneNumber,
    contact_card: toCardData(after),
    change: changes,
  });
  return after;
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
