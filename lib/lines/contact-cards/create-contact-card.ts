import "server-only";
import { z } from "zod";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { applyCard, type CardContent } from "@/lib/lines/contact-cards/apply-card";
import { deleteCardImage, ImageUrl, storeCardImage } from "@/lib/lines/contact-cards/card-image";
import {
  CardName,
  findCards,
  SetContactCard,
  toCardData,
  toContactCard,
} from "@/lib/lines/contact-cards/contact-card";
import { CONTACT_CARD_EVENTS } from "@/lib/lines/contact-cards/contact-card-events";
import { showStoredCard } from "@/lib/lines/contact-cards/show-stored-card";
import { failNoLine, findOwnLine } from "@/lib/lines/lines/find-line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import type { Line } from "@/lib/platform/prisma/client";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";

export const CreateContactCard = contract({
  summary: "Set up a line's contact card",
  description:
    "Sets up the contact card of a line, once per line. If the line has an active card, the request fails with 2014: update the card instead.",
  tag: "Contact cards",
  right: "manage_lines",
  body: z
    .object({
      phone_number: PhoneNumber.describe("Your line, in E.164 format."),
      first_name: CardName.describe("First name, or the name of the business."),
      last_name: CardName.optional().describe("Last name."),
      image_url: ImageUrl.optional().describe(
        "URL of a square image of at least 200 by 200 pixels. Trunkline downloads the image once and stores a copy.",
      ),
    })
    .meta({
      examples: [
        {
          phone_number: "+12025550100",
          first_name: "Harbor",
          last_name: "Kitchen",
          image_url: "https://example.com/logo.png",
        },
      ],
    }),
  returns: SetContactCard,
  status: 201,
  errors: [
    "field_missing",
    "phone_not_e164",
    "parameter_invalid",
    "access_denied",
    "line_not_permitted",
    "line_restricted",
    "contact_card_exists",
    "contact_card_failed",
    "service_unavailable",
    "content_type_mismatch",
    "image_download_failed",
    "attachment_not_found",
    "attachment_not_ready",
    "download_failed",
  ],
});

/**
 * Creates a line's contact card (docs/contract.md, section 11.5). The card is stored as inactive, set on the line and
 * then activated. A card that the line rejects stays inactive and can be created again. Errors: as `CreateContactCard`.
 */
export async function createContactCard(ctx: Context, { body }: Input<typeof CreateContactCard>) {
  const line = await findOwnLine(ctx, body.phone_number);
  if (line.status === "FLAGGED") fail("line_restricted");
  await failIfActive(line);

  const attachmentId =
    body.image_url === undefined ? null : await storeCardImage(ctx, line.id, body.image_url);
  const card = { firstName: body.first_name, lastName: body.last_name ?? null, attachmentId };
  const id = await storeInactive(ctx, line, card);
  await applyCard(line, card);
  return activate(ctx, line, id).catch(async (error: unknown) => {
    await showStoredCard(line);
    throw error;
  });
}

async function failIfActive({ accountId, id: lineId }: Line): Promise<void> {
  const [known] = await findCards(accountId, { lineId });
  if (known?.is_active) failExisting();
}

function failExisting(): never {
  return fail("contact_card_exists", "update it with PATCH /v3/contact_card");
}

// Replaces a card that never became active.
async function storeInactive(ctx: Context, line: Line, card: CardContent): Promise<string> {
  const id = newId(ctx.now.getTime(), ctx.account.id, "contact card", line.phoneNumber);
  const replaced = await transaction((tx) => insertInactive(tx, ctx, { line, id, card })).catch(
    async (error: unknown) => {
      await deleteCardImage(ctx, card.attachmentId);
      throw error;
    },
  );
  await deleteCardImage(ctx, replaced);
  return id;
}

const LOCK_LINE_OF_CONTACT_CARD = plannedStatement(
  "lock-line-of-contact-card",
  "select id from lines where account_id = :accountId and id = :lineId and released_at is null for no key update",
);

const LOCK_REPLACED_CONTACT_CARD = plannedStatement(
  "lock-replaced-contact-card",
  "select attachment_id from contact_cards where account_id = :accountId and line_id = :lineId for update",
);

const INSERT_CONTACT_CARD = plannedStatement(
  "insert-contact-card",
  `insert into contact_cards as c
    (account_id, line_id, id, first_name, last_name, attachment_id, created_at, updated_at)
  values (:accountId, :lineId, :id, :firstName, :lastName, :attachmentId, :now, :now)
  on conflict (account_id, line_id) do update set id = excluded.id, first_name = excluded.first_name,
    last_name = excluded.last_name, attachment_id = excluded.attachment_id,
    created_at = excluded.created_at, updated_at = excluded.updated_at
    where not c.is_active
  returning id`,
);

// Returns the image of the replaced card. The locks wait for a release of the line and for changes of its card.
async function insertInactive(
  tx: Sql,
  ctx: Context,
  { line, id, card }: { line: Line; id: string; card: CardContent },
): Promise<string | null> {
  const lines = await tx.run(LOCK_LINE_OF_CONTACT_CARD, { accountId: ctx.account.id, lineId: line.id });
  if (lines.length === 0) failNoLine(line.phoneNumber);
  const [old] = await tx.run(LOCK_REPLACED_CONTACT_CARD, {
    accountId: ctx.account.id,
    lineId: line.id,
  });
  const stored = await tx.run(INSERT_CONTACT_CARD, {
    accountId: ctx.account.id,
    lineId: line.id,
    id,
    firstName: card.firstName,
    lastName: card.lastName,
    attachmentId: card.attachmentId,
    now: ctx.now,
  });
  if (stored.length === 0) failExisting();
  return old?.attachment_id ?? null;
}

const ACTIVATE_CONTACT_CARD = plannedStatement(
  "activate-contact-card",
  `update contact_cards set is_active = true
  where account_id = :accountId and line_id = :lineId and id = :id and not is_active returning id`,
);

// Fails when a concurrent request created the card first, or deleted it or released the line meanwhile.
function activate(ctx: Context, line: Line, id: string) {
  return transaction(async (tx) => {
    const active = await tx.run(ACTIVATE_CONTACT_CARD, { accountId: ctx.account.id, lineId: line.id, id });
    const [card] = await findCards(ctx.account.id, { lineId: line.id, on: tx });
    if (card === undefined) {
      return fail("contact_card_failed", "the contact card was deleted or its line released meanwhile");
    }
    if (active.length === 0) return failExisting();

    await recordAudit(tx, ctx, "contact_card.created", "contact_card", id, { line: line.phoneNumber });
    await emitAccountEvent(tx, requestChange(ctx), CONTACT_CARD_EVENTS["contact_card.created"], {
      phone_number: line.phoneNumber,
      contact_card: toCardData(card),
    });
    return toContactCard(card);
  });
}
