import "server-only";
import { Readable } from "node:stream";
import { z } from "zod";
import { addressOf } from "@/lib/attachments/attachment";
import { downloadUrl } from "@/lib/attachments/attachment-url";
import { insertAttachments } from "@/lib/attachments/insert-attachments";
import { removeAttachment } from "@/lib/attachments/remove-attachment";
import { storeFile } from "@/lib/attachments/store/store-file";
import { CardName, findCards, SetContactCard, toContactCard } from "@/lib/lines/contact-cards/contact-card";
import { CreateContactCard, createContactCard } from "@/lib/lines/contact-cards/create-contact-card";
import { UpdateContactCard, updateContactCard } from "@/lib/lines/contact-cards/update-contact-card";
import { throwNotFoundOrDenied } from "@/lib/lines/lines/find-line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma, sql } from "@/lib/platform/database/db";

const MAX_IMAGE_BYTES = 2 * 1024 * 1024;
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

export const SaveContactCard = contract({
  summary: "Create or update a line's contact card with its image",
  tag: "Contact cards",
  right: "manage_lines",
  params: z.object({ lineId: z.uuid() }),
  body: z.object({
    first_name: CardName,
    last_name: CardName.nullable(),
    image: z.base64().nullish().meta({
      description: "A square JPEG, PNG or WebP image. `null` removes the image; omit the field to keep it",
    }),
  }),
  bodyLimitBytes: BODY_LIMIT_BYTES,
  returns: SetContactCard,
  status: 200,
  errors: [
    ...new Set([...CreateContactCard.errors, ...UpdateContactCard.errors]),
    "line_not_found",
    "file_too_large",
  ],
  extension: true,
});

type Body = Input<typeof SaveContactCard>["body"];

/**
 * Saves the dashboard's form: creates the card, also when the line rejected an earlier one, or updates it. Errors: as
 * `createContactCard` and `updateContactCard`; line_not_found.
 */
export async function saveContactCard(ctx: Context, { params, body }: Input<typeof SaveContactCard>) {
  const line = await prisma().line.findUnique({
    where: { accountId_id: { accountId: ctx.account.id, id: params.lineId }, releasedAt: null },
    select: { phoneNumber: true },
  });
  if (line === null) return throwNotFoundOrDenied(ctx, params.lineId);

  const uploaded = typeof body.image === "string" ? await upload(ctx, body.image) : null;
  try {
    return await save(ctx, { ...params, phoneNumber: line.phoneNumber }, { body, url: uploaded?.url });
  } finally {
    // The card has its own copy of the uploaded image.
    if (uploaded !== null) await removeAttachment({ accountId: ctx.account.id, attachmentId: uploaded.id });
  }
}

interface CardLine {
  lineId: string;
  phoneNumber: string;
}

async function save(ctx: Context, line: CardLine, { body, url }: { body: Body; url: string | undefined }) {
  const { first_name, last_name, image } = body;
  const phone_number = line.phoneNumber;
  const [known] = await findCards(ctx.account.id, { lineId: line.lineId });
  if (known?.is_active) {
    const image_url = image === null ? null : url;
    return updateContactCard(ctx, {
      params: undefined,
      query: { phone_number },
      body: { first_name, last_name, image_url },
    });
  }

  const kept = known === undefined || image === null ? undefined : toContactCard(known).image_url;
  const card = { phone_number, first_name, last_name: last_name ?? undefined, image_url: url ?? kept };
  return createContactCard(ctx, { params: undefined, query: undefined, body: card });
}

async function upload(ctx: Context, image: string): Promise<{ id: string; url: string }> {
  const accountId = ctx.account.id;
  const body = Readable.toWeb(Readable.from([Buffer.from(image, "base64")]));
  const file = await storeFile({
    accountId,
    filename: "image",
    contentType: null,
    mostBytes: MAX_IMAGE_BYTES,
    body,
  });
  const stored = {
    accountId,
    lineId: null,
    source: "image" as const,
    status: "complete" as const,
    at: ctx.now,
    files: [file],
  };
  const [row] = await insertAttachments(sql, stored);
  if (row === undefined) throw new Error("the image was not stored");
  return { id: file.id, url: downloadUrl(addressOf(row)) };
}
