import "server-only";
import { z } from "zod";
import { mediaUrlOrNull } from "@/lib/events/catalog/event-media";
import type { CardContent } from "@/lib/lines/contact-cards/apply-card";
import { type Sql, sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_NAME = 255;

/** A name on a card: one non-blank line of text. */
export const CardName = z
  .string()
  .trim()
  .min(1)
  .check(maxUnits(MAX_NAME))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
  .refine((name) => !/[\u0000-\u001f\u007f]/.test(name), "must be one line of text");

/** A line's contact card in the API (docs/contract.md, section 11.5). */
export const SetContactCard = z
  .object({
    first_name: z.string().describe("First name, or the name of the business."),
    last_name: z.string().optional().describe("Last name. Absent when the card has none."),
    phone_number: z.string().describe("The line the card belongs to, in E.164 format."),
    image_url: z.url().optional().describe("URL of the image. Absent when the card has none."),
    is_active: z.boolean().describe("`true` if the card is applied to the line."),
  })
  .meta({
    id: "SetContactCard",
    description: "The contact card of a line: the name and image that recipients see.",
    examples: [
      {
        first_name: "Harbor",
        last_name: "Kitchen",
        phone_number: "+12025550100",
        image_url:
          "https://cdn.example.com/attachments/partners/019ca9c0-0000-7000-8000-5a1f0c9e2b34/019ca9c2-4c04-7e75-8d44-70b1c2d3e4f5/logo.png",
        is_active: true,
      },
    ],
  });

/** A row of `contact_cards` with its line's number and its image. */
export type CardRow = RowOf<"find-contact-cards">;

const FIND_CONTACT_CARDS = statement(
  "find-contact-cards",
  `select c.id, c.xmin::text as version, c.line_id, l.phone_number, c.first_name, c.last_name, c.attachment_id, c.is_active,
    case when t.id is not null then jsonb_build_object(
      'partner_id', a.partner_id, 'attachment_id', t.id, 'filename', t.filename) end as "image: { partner_id: string; attachment_id: string; filename: string; }"
  from contact_cards c
  join lines l on l.account_id = c.account_id and l.id = c.line_id
  join accounts a on a.id = c.account_id
  left join attachments t on t.account_id = c.account_id and t.id = c.attachment_id
  where c.account_id = :accountId and (:lineId::uuid is null or c.line_id = :lineId) and l.released_at is null
  order by c.created_at, c.id`,
);

/** The cards of the account's lines, or of one line. A card whose image was deleted has no image. */
export async function findCards(
  accountId: string,
  { lineId = null, on = sql }: { lineId?: string | null; on?: Sql } = {},
): Promise<CardRow[]> {
  return on.run(FIND_CONTACT_CARDS, { accountId, lineId });
}

/** The only serializer of contact cards. Missing values are omitted, as the official clients expect. */
export function toContactCard(row: CardRow): z.infer<typeof SetContactCard> {
  const imageUrl = mediaUrlOrNull(row.image);
  return {
    first_name: row.first_name,
    ...(row.last_name === null ? {} : { last_name: row.last_name }),
    phone_number: row.phone_number,
    ...(imageUrl === null ? {} : { image_url: imageUrl }),
    is_active: row.is_active,
  };
}

/** The content of a stored card, as its line shows it. */
export function contentOf({ first_name, last_name, image }: CardRow): CardContent {
  return { firstName: first_name, lastName: last_name, attachmentId: image?.attachment_id ?? null };
}

/** A contact card in account events. */
export function toCardData({ id, first_name, last_name, image }: CardRow) {
  return { id, first_name, last_name, image };
}
